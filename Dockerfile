# The service in a small image: built in one stage, run in another by a user that owns nothing but its state.
FROM node:24-bookworm AS build
WORKDIR /app
COPY package.json package-lock.json ./
# The lock file's packages, as they are: none needs its install script. The build is made below.
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:24-bookworm-slim
ENV NODE_ENV=production WEB3_BI_HOST=0.0.0.0 WEB3_BI_STATE_DIR=/var/lib/web3-bi
RUN mkdir /var/lib/web3-bi && chown node:node /var/lib/web3-bi
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/data/*.md ./data/
USER node
VOLUME /var/lib/web3-bi
EXPOSE 4020
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4020/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js", "serve"]
