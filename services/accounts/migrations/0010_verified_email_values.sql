-- Apart from the new column, whose lock would last as long as this statement.
UPDATE consumers SET verified_email = email WHERE email_verified_at IS NOT NULL;
