# The services that work on media: the same build as node.Dockerfile, with the distribution's ffmpeg.
ARG NODE_RUNTIME=autoposter/node:local
FROM ${NODE_RUNTIME}
USER root
RUN apt-get update \
    && apt-get install -y --no-install-recommends ffmpeg \
    && rm -rf /var/lib/apt/lists/*
USER 10001:10001
CMD ["node", "dist/apps/downloader/main.cjs"]
