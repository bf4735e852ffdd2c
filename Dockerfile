# The program `weir` with every role, built from this checkout: docker build -t weir .
FROM node:20.20.2-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund && npm run build

FROM node:20.20.2-bookworm-slim
# What a package of the program holds, and nothing else: no sources, no node_modules.
COPY --from=build /src/apps/cli/package.json /opt/weir/apps/cli/package.json
COPY --from=build /src/apps/cli/bin /opt/weir/apps/cli/bin
COPY --from=build /src/apps/cli/dist /opt/weir/apps/cli/dist
COPY --from=build /src/descriptors /opt/weir/descriptors
COPY --from=build /src/LICENSE /opt/weir/LICENSE
# The keyset is /etc/weir/keyset.json; an embedded database, where one is used, lies in /var/lib/weir.
ENV NODE_ENV=production XDG_CONFIG_HOME=/etc XDG_DATA_HOME=/var/lib
RUN install -d -o node -g node -m 0700 /etc/weir /var/lib/weir
USER node
WORKDIR /var/lib/weir
ENTRYPOINT ["node", "/opt/weir/apps/cli/bin/weir.js"]
CMD ["serve", "--host", "0.0.0.0"]
