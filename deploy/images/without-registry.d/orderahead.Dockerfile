# The last stage of ../Dockerfile, with files that are built outside.
FROM debian:bookworm-slim
RUN useradd --system --uid 10001 --no-create-home orderahead \
 && install -d -o orderahead /var/lib/orderahead
COPY programs /usr/local/bin
COPY web /srv/web
COPY seed /srv/seed
ENV WEB_DIST=/srv/web LOG_FORMAT=json
USER orderahead
WORKDIR /var/lib/orderahead
