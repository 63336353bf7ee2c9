/** Uses the package from JavaScript. `.ci/package.mjs` also checks its types. */

import { fileURLToPath } from 'node:url'
import { Engine, newQueue } from 'mergeyard/engine'
import { BadInput, loadScenario, properties, simulate } from 'mergeyard/sim'
import { startServer } from 'mergeyard/server'

const file = fileURLToPath(import.meta.resolve('mergeyard/scenario.schema.json'))
const folder = file.slice(0, file.lastIndexOf('scenario.schema.json'))
const result = simulate(loadScenario(`${folder}small-team.json`))
if (result.properties.length < properties.length) throw new Error('a property was not checked')
if (result.properties.some(({ violations }) => violations.length > 0))
  throw new Error('a property failed')

try {
  simulate({ name: 'bad', pullRequests: [{ number: -1 }] })
  throw new Error('a scenario with a negative number was accepted')
} catch (error) {
  if (!(error instanceof BadInput)) throw error
}

const engine = new Engine(newQueue(), {
  clock: { wakeAt: () => undefined },
  testRunner: { start: () => undefined, cancel: () => undefined },
})
const restart = engine.dispatch({ type: 'restartTests', number: 1, at: 0 })
if (restart.accepted) throw new Error('a restart of an unknown pull request was accepted')

const server = await startServer({ data: 'data', port: 0, token: 'secret-of-the-consumer' })
const response = await fetch(`${server.url}/openapi.json`)
await server.stop()
if (response.status !== 200) throw new Error(`the server responded ${response.status}`)
const said = await import('mergeyard').then(
  () => '',
  (/** @type {unknown} */ error) => String(error),
)
for (const entry of ['client', 'server', 'engine', 'sim', 'arbitrary'])
  if (!said.includes(`mergeyard/${entry}`))
    throw new Error(`mergeyard does not name ${entry}: ${said}`)
console.log('JavaScript consumer: ok')
