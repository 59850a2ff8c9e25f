# The services without media tools: the gateway with the console, the migration, and the poster.
# What is common to both images is built once here; media.Dockerfile adds ffmpeg to the same result.
ARG NODE_IMAGE=node:24-trixie-slim

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund

FROM packages AS build
COPY . .
RUN node tools/local/bundle.mjs --apps && node node_modules/vite/bin/vite.js build -c apps/console/vite.config.ts --logLevel warn

FROM packages AS production
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM ${NODE_IMAGE} AS runtime
ENV NODE_ENV=production
WORKDIR /app
COPY --from=production /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json ./
# A name is not enough for `runAsNonRoot`: the kubelet wants a number.
USER 10001:10001
EXPOSE 3000
CMD ["node", "dist/apps/gateway/main.cjs"]
