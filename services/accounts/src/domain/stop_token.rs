//! Tokens with which a notification can be turned off without a session.

use types::ConsumerId;
use uuid::Uuid;

use super::{
    notification::Channel,
    secret::{HashPurpose, Secret},
};

/// 128 bits of the hash, so that the link in a text message is short.
const TAG_BYTES: usize = 16;
const ID_BYTES: usize = 16;

/// Returns a token that turns off a channel of a consumer: the channel, the id and a keyed hash of both, in hexadecimal.
#[must_use]
pub fn stop_token(secret: &Secret, consumer: ConsumerId, channel: Channel) -> String {
    let id = hex::encode(consumer.uuid().as_bytes());
    let tag = tag(secret, consumer, channel);
    format!("{}{id}{}", letter(channel), hex::encode(tag))
}

/// Returns what a token turns off, or `None` if it is invalid.
#[must_use]
pub fn read_stop_token(secret: &Secret, token: &str) -> Option<(ConsumerId, Channel)> {
    let letter_of_token = token.chars().next()?;
    let channel = [Channel::Push, Channel::Sms, Channel::Email]
        .into_iter()
        .find(|channel| letter(*channel) == letter_of_token)?;
    let bytes = hex::decode(token.get(1..)?).ok()?;
    if bytes.len() != ID_BYTES + TAG_BYTES {
        return None;
    }
    let consumer = ConsumerId::from_uuid(Uuid::from_slice(bytes.get(..ID_BYTES)?).ok()?);
    let is_valid = secret.matches_truncated(
        HashPurpose::StopNotifications,
        &signed(consumer, channel),
        bytes.get(ID_BYTES..)?,
    );
    is_valid.then_some((consumer, channel))
}

const fn letter(channel: Channel) -> char {
    match channel {
        Channel::Push => 'p',
        Channel::Sms => 's',
        Channel::Email => 'e',
    }
}

fn signed(consumer: ConsumerId, channel: Channel) -> String {
    format!("{}:{}", channel.as_str(), consumer.uuid())
}

fn tag(secret: &Secret, consumer: ConsumerId, channel: Channel) -> Vec<u8> {
    let mut hash = secret.hash(HashPurpose::StopNotifications, &signed(consumer, channel));
    hash.truncate(TAG_BYTES);
    hash
}

#[cfg(test)]
mod tests {
    use secrecy::SecretString;

    use super::*;

    fn secret(text: &str) -> Secret {
        Secret::new(&SecretString::from(text)).unwrap()
    }

    #[test]
    fn only_an_unchanged_token_is_valid() {
        let own = secret("0123456789abcdef0123456789abcdef");
        let consumer = ConsumerId::from_uuid(Uuid::from_u128(7));
        let token = stop_token(&own, consumer, Channel::Email);
        assert_eq!(read_stop_token(&own, &token), Some((consumer, Channel::Email)));
        for position in 0..token.len() {
            let mut changed = token.clone().into_bytes();
            changed[position] = if changed[position] == b'1' { b'2' } else { b'1' };
            let changed = String::from_utf8(changed).unwrap();
            assert_eq!(read_stop_token(&own, &changed), None, "{changed}");
        }
        let other_channel = format!("p{}", &token[1..]);
        assert_eq!(read_stop_token(&own, &other_channel), None);
        for cut in ["", "e", &token[..33], &token[..64], &format!("{token}00"), "é"] {
            assert_eq!(read_stop_token(&own, cut), None, "{cut}");
        }
        assert_eq!(
            read_stop_token(&secret("another-secret-another-secret-00"), &token),
            None
        );
    }
}
