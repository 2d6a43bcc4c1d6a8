-- Texts of messages that the operator edits in catalogs.
CREATE TABLE message_texts (
    kind    text NOT NULL,
    catalog text NOT NULL,
    title   text NOT NULL,
    body    text NOT NULL,
    CONSTRAINT message_texts_pkey PRIMARY KEY (kind)
);
-- The text of earlier releases. The next import of this catalog replaces it.
INSERT INTO message_texts (kind, catalog, title, body)
    SELECT 'welcome', catalog, 'Welcome to Order Ahead',
           'Get $3 off your first order in the app with code WELCOME3. You''ll earn points with every order.'
    FROM promos WHERE code = 'WELCOME3' AND catalog IS NOT NULL;
