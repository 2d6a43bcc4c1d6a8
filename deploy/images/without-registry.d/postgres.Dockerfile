FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-15 \
 && rm -rf /var/lib/apt/lists/* /var/lib/postgresql/15 \
 && install -d -o postgres -g postgres /var/lib/postgresql/data /docker-entrypoint-initdb.d
COPY postgres-entrypoint /entrypoint
ENV PATH=/usr/lib/postgresql/15/bin:/usr/bin:/bin PGDATA=/var/lib/postgresql/data
USER postgres
ENTRYPOINT ["/entrypoint"]
CMD ["postgres"]
