/** The commands of "Your own repository in five minutes", as the README has them. */

import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { git } from '../../../server/git/git.ts'
import { main, makeBare, write } from '../../../server/git/testing/commits.ts'
import { executable } from '../../benchmarks/served.ts'
import { blocksOf } from '../../../server/testing/readme.ts'
import { landedIn } from '../../rehearsal/play.ts'
import { CliFolder } from '../testing/cli-folder.ts'
import { type Program, startProgram } from '../testing/program.ts'
import { serveCommand } from '../try.ts'

const home = new CliFolder()
const shop = join(home.path, 'shop.git')
const checkout = join(home.path, 'checkout')
const seen = join(home.path, 'seen')

const guide = { file: 'README.md', section: 'Your own repository in five minutes' }
const [served = '', others = ''] = blocksOf(guide, 'sh')
const [serve = ''] = served.split('\n')
const [submit = '', queue = '', why = '', log = ''] = others.split('\n')

/** Starts a command of the README, in a shell. `npx` finds the package of this repository. */
function start(command: string): Program {
  const places = { HOME: home.path, XDG_STATE_HOME: '', INIT_CWD: checkout }
  const env = { ...process.env, ...places, MERGEYARD_PORT: '0', MERGEYARD: executable }
  const text = `exec ${command.replace('npx mergeyard', '"$NODE" "$MERGEYARD"')}`
  return startProgram(['/bin/sh', '-c', text], {
    cwd: checkout,
    env: { ...env, NODE: process.execPath },
  })
}

/** Runs a command of the README, and returns what it prints. */
async function outputOf(command: string): Promise<string> {
  const { ended, out } = start(command)
  expect(await ended).toBe(0)
  return out()
}

test('a repository is served, a branch is submitted, and its run has a log', async () => {
  const program = { name: 'shop', version: '1.0.0', scripts: { test: 'node shop.js' } }
  const { name, version } = program
  const lock = { name, version, lockfileVersion: 3, packages: { '': { name, version } } }
  makeBare(shop)
  await write(
    shop,
    {
      ref: main,
      files: {
        'package.json': JSON.stringify(program),
        'package-lock.json': JSON.stringify(lock),
        'shop.js': 'console.log("open")\n',
      },
    },
    {
      ref: 'refs/heads/pay-twice',
      from: main,
      // Its tests last until the test has seen them run.
      files: {
        'shop.js': `const timer = setInterval(() => {
  if (!require('node:fs').existsSync(${JSON.stringify(seen)})) return
  console.log('pays twice')
  clearInterval(timer)
}, 20)\n`,
      },
    },
  )
  await git(['clone', '--quiet', shop, checkout])
  // What `try` suggests.
  expect(serve).toBe(`npx ${serveCommand}`)
  const server = start(`${serve} --bind '${home.path}'`)
  onTestFinished(async () => void (await server.end()))
  await server.prints(/Mergeyard listens on /)

  // The folder is ahead of what it has pushed.
  await git(['-C', checkout, 'switch', '--quiet', 'pay-twice'])
  const author = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com']
  await git(['-C', checkout, ...author, 'commit', '--quiet', '--allow-empty', '--message=More'])
  const submitted = start(submit)
  expect(await submitted.ended).toBe(0)
  expect(submitted.out()).toContain('#1')
  expect(submitted.log()).toBe(
    'submit: pay-twice of this folder has 1 commit more: push it, then submit it again\n',
  )
  const shown = async (): Promise<string> => outputOf(queue)
  await expect.poll(shown).toMatch(/^#1 .*testing.* run [0-9a-f-]+/m)
  writeFileSync(seen, '')
  await expect.poll(shown).toMatch(/^#1 +MERGED/m)
  expect(await outputOf(why)).toContain('#1  Change: merged')
  expect(await outputOf(log)).toContain('pays twice')
  expect((await landedIn(shop)).map(({ numbers }) => numbers)).toEqual([[], [1]])
  expect(await git(['-C', checkout, 'status', '--porcelain', '--ignored'])).toBe('')
  expect(readdirSync(join(home.path, '.local/state/mergeyard'))).toEqual([
    expect.stringMatching(/^checkout-[0-9a-f]{8}$/),
  ])
})
