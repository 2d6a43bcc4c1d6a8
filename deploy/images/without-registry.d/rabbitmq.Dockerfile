FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends rabbitmq-server \
 && rm -rf /var/lib/apt/lists/* && chown -R rabbitmq:rabbitmq /etc/rabbitmq /var/lib/rabbitmq /var/log/rabbitmq
COPY rabbitmq-entrypoint /entrypoint
ENV PATH=/usr/lib/rabbitmq/bin:/usr/sbin:/usr/bin:/bin RABBITMQ_LOGS=-
USER rabbitmq
ENTRYPOINT ["/entrypoint"]
CMD ["rabbitmq-server"]
