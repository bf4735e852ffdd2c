/** Files that a secret turns up in: each shape gives the path and the line, and ordinary lines to stand around it. */
export interface FileShape {
  readonly path: string;
  readonly line: (variable: string, secret: string) => string;
  readonly around: readonly string[];
}

const camel = (variable: string): string => variable.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const dotted = (variable: string): string => variable.toLowerCase().replaceAll('_', '.');

const SCRIPT = [
  "import { createServer } from 'node:http';",
  'const port = Number(process.env.PORT ?? 8080);',
  'export const version = "4.12.0-beta.3";',
  'function handle(request) {',
  '  return request.headers.get("x-request-id") ?? crypto.randomUUID();',
  '}',
];
const SETTINGS = [
  'PORT=8080',
  'LOG_LEVEL=info',
  'PUBLIC_URL=https://shop.example.com',
  'GIT_SHA=9fceb02d0ae598e95dc970b74767f19372d61af8',
  'SESSION_ID=7d444840-9dc0-11d1-b245-5ffdce74fad2',
];
const YAML = [
  'name: shop',
  'replicas: 3',
  'image: registry.shop.io/api@sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
  'env:',
  '  - name: LOG_LEVEL',
  '    value: info',
];
const PROPERTIES = ['server.port=8080', 'spring.datasource.driver-class-name=org.postgresql.Driver', 'management.endpoints.web.exposure.include=health,info'];

export const fileShapes: readonly [FileShape, ...FileShape[]] = [
  { path: '.env', line: (name, secret) => `${name}=${secret}`, around: SETTINGS },
  { path: 'deploy/.env.production', line: (name, secret) => `export ${name}="${secret}"`, around: SETTINGS },
  { path: 'deploy/values.yaml', line: (name, secret) => `  ${camel(name)}: ${secret}`, around: YAML },
  { path: 'deploy/app.yml', line: (name, secret) => `      ${name}: "${secret}"`, around: YAML },
  {
    path: 'config/settings.json',
    line: (name, secret) => `  "${camel(name)}": "${secret}",`,
    around: ['{', '  "port": 8080,', '  "region": "eu-central-1",', '}'],
  },
  { path: 'src/client.ts', line: (name, secret) => `const ${camel(name)}: string = '${secret}';`, around: SCRIPT },
  { path: 'src/app.js', line: (name, secret) => `  ${camel(name)}: process.env.${name} || "${secret}",`, around: SCRIPT },
  { path: 'app/settings.py', line: (name, secret) => `${name} = "${secret}"`, around: ['import os', 'DEBUG = False', 'ALLOWED_HOSTS = ["shop.example.com"]'] },
  {
    path: 'app/client.py',
    line: (name, secret) => `    ${name.toLowerCase()} = os.environ.get("${name}", "${secret}")`,
    around: ['import os', 'class Client:', '    timeout = 30'],
  },
  { path: 'internal/config.go', line: (name, secret) => `\t${camel(name)} := "${secret}"`, around: ['package config', 'import "os"', 'const Timeout = 30'] },
  { path: 'Dockerfile', line: (name, secret) => `ENV ${name}=${secret}`, around: ['FROM node:20-slim', 'WORKDIR /app', 'RUN npm ci --omit=dev'] },
  {
    path: '.github/workflows/release.yml',
    line: (name, secret) => `          ${name}: ${secret}`,
    around: [
      'on: push',
      'jobs:',
      '  release:',
      '    runs-on: ubuntu-latest',
      '      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683',
      '          OTHER: ${{ secrets.OTHER }}',
    ],
  },
  { path: 'src/main/resources/application.properties', line: (name, secret) => `${dotted(name)}=${secret}`, around: PROPERTIES },
  {
    path: 'infra/main.tf',
    line: (name, secret) => `  ${name.toLowerCase()} = "${secret}"`,
    around: ['resource "aws_s3_bucket" "logs" {', '  bucket = "shop-logs-eu"', '}'],
  },
  { path: 'scripts/deploy.sh', line: (name, secret) => `export ${name}='${secret}'`, around: ['#!/bin/sh', 'set -eu', 'kubectl apply -f deploy/'] },
  {
    path: 'src/main/java/Shop.java',
    line: (name, secret) => `    private static final String ${name} = "${secret}";`,
    around: ['package io.shop;', 'public class Shop {', '    int port = 8080;'],
  },
  {
    path: 'web.config',
    line: (name, secret) => `    <add key="${name}" value="${secret}" />`,
    around: ['<configuration>', '  <appSettings>', '  </appSettings>'],
  },
  { path: 'app/Config.php', line: (name, secret) => `    '${name.toLowerCase()}' => '${secret}',`, around: ['<?php', 'return [', '];'] },
  {
    path: 'config/initializers/shop.rb',
    line: (name, secret) => `  config.${name.toLowerCase()} = "${secret}"`,
    around: ['Shop.configure do |config|', '  config.timeout = 30', 'end'],
  },
];
