/**
 * Lints the OpenAPI document with Redocly, without telemetry and update checks. Only environment
 * variables can switch those off, and each shell has another syntax to set them.
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
