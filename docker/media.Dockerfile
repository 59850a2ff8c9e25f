# Services with the distribution's ffmpeg: downloader, dmca-worker, ai-worker, and the simulators of the demo.
ARG NODE_IMAGE=node:24-trixie-slim

# ── identical in node.Dockerfile and media.Dockerfile, so that both share the build cache ──
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund
COPY . .
ENV NODE_ENV=production
RUN node tools/local/bundle.mjs \
    apps/gateway apps/downloader apps/dmca-worker apps/ai-worker apps/instagram-poster tools/migrate tools/simulators
RUN node node_modules/vite/bin/vite.js build -c apps/console/vite.config.ts --logLevel warn
RUN node docker/packages.mjs /out/node/node_modules \
      dist/apps/gateway/main.cjs dist/apps/instagram-poster/main.cjs dist/tools/migrate/main.cjs \
    && node docker/packages.mjs /out/media/node_modules \
      dist/apps/downloader/main.cjs dist/apps/dmca-worker/main.cjs dist/apps/ai-worker/main.cjs dist/tools/simulators/main.cjs
RUN mkdir -p /out/node/dist/apps /out/node/dist/tools /out/media/dist/apps /out/media/dist/tools \
    && cp -r dist/apps/gateway dist/apps/console dist/apps/instagram-poster /out/node/dist/apps/ \
    && cp -r dist/tools/migrate /out/node/dist/tools/ \
    && cp -r dist/apps/downloader dist/apps/dmca-worker dist/apps/ai-worker /out/media/dist/apps/ \
    && cp -r dist/tools/simulators /out/media/dist/tools/
# ── end of the identical part ──

FROM ${NODE_IMAGE} AS runtime
RUN apt-get update \
    && apt-get install -y --no-install-recommends ffmpeg \
    && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production NODE_OPTIONS=--enable-source-maps DATA_DIR=/work
WORKDIR /app
# The only writable folder: a volume is mounted here, the rest may be read-only.
RUN install -d -o 10001 -g 10001 /work
COPY --from=build /out/media ./
# `runAsNonRoot` requires a numeric user.
USER 10001:10001
EXPOSE 9100
CMD ["node", "dist/apps/downloader/main.cjs"]
