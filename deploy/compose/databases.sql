-- One database per service. The PostgreSQL image runs this file when it initializes its data folder.
create database accounts;
create database stores;
create database ordering;
create database payments;
create database gift_cards;
create database rewards;
