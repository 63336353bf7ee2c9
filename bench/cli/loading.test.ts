/** A command loads what it runs, and not all that there is: people and scripts start it often. */

import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** Prints the packages that are loaded with a module. */
const program = `
  import { createRequire } from 'node:module'
  await import(process.argv[1])
  const files = Object.keys(createRequire(process.cwd() + '/').cache)
  const names = files.map((file) => /node_modules\\/(?:@[^/]+\\/)?[^/]+/.exec(file)?.[0] ?? file)
  console.log(JSON.stringify([...new Set(names)]))`

function packagesOf(path: string): string[] {
  const module = new URL(path, import.meta.url).href
  const args = ['--input-type=module', '--eval', program, module]
  const loaded: string[] = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
  return loaded
}

test.each(['start', 'token', 'submit', 'steer', 'queue', 'log'])(
  'given only its options are read, %s has loaded no server and no driver of a database',
  (command) => {
    const packages = ['node_modules/commander', 'node_modules/picocolors']
    expect(packagesOf(`../../server/cli/${command}.js`).toSorted()).toEqual(packages)
  },
)

test('given a server with a data folder and no repository, it loads nothing for the others', () => {
  const packages = packagesOf('../../server/cli/run-server.js')
  expect(packages).toContain('node_modules/express')
  // A driver of a database, and the patterns of impacted targets.
  for (const name of ['pg', 'picomatch']) expect(packages).not.toContain(`node_modules/${name}`)
})
