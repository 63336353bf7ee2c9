/**
 * Lints the API's document with Redocly, which otherwise reports to its makers and looks for news.
 * Environment variables are the only way to say so, and shells write them each in their own way.
 */

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const redocly = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'))
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
const { status } = spawnSync(process.execPath, [redocly, 'lint', 'server/openapi.json'], {
  env,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
