use sqlx::PgConnection;

use crate::{
    db::message_texts,
    domain::message_text::{FilledText, MessageText},
};

/// Returns the title and body of a message, in the words of a catalog if one contains them.
pub(super) async fn compose_message(conn: &mut PgConnection, text: &FilledText) -> sqlx::Result<MessageText> {
    let texts = message_texts::find(conn, &text.kinds()).await?;
    Ok(text.render(&texts))
}
