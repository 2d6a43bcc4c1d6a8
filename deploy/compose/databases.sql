-- One database a service, made once by the database's image on its first start.
create database accounts;
create database stores;
create database ordering;
create database payments;
create database gift_cards;
create database rewards;
