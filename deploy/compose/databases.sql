-- One database per service. The PostgreSQL image runs this file when it initializes its data folder.
-- The encoding is explicit, because an image without a locale creates SQL_ASCII databases, in which searches fail.
create database accounts encoding 'UTF8' template template0;
create database stores encoding 'UTF8' template template0;
create database ordering encoding 'UTF8' template template0;
create database payments encoding 'UTF8' template template0;
create database gift_cards encoding 'UTF8' template template0;
create database rewards encoding 'UTF8' template template0;
