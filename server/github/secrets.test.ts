/** Where credentials must not be: arguments, addresses, logs, errors, and the data folder. */

import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../testing/test-server.ts'
import { failureOf, withoutSecrets } from './failure.ts'
import { personalToken } from './testing/fake-github.ts'
import { hookSecret } from '../forge/testing/fake-hooks.ts'
import { githubWorld } from './testing/github-world.ts'
import { installationToken } from './testing/repository-routes.ts'

/** Notes the arguments of every git that the server starts. */
function watchedGit(): () => string {
  const folder = temporaryFolder()
  const [calls, bin] = [join(folder, 'calls'), join(folder, 'bin')]
  mkdirSync(bin)
  const path = process.env['PATH'] ?? ''
  const next = `PATH="${path}" exec git "$@"`
  writeFileSync(join(bin, 'git'), `#!/bin/sh\necho "$@" >> ${calls}\n${next}\n`)
  chmodSync(join(bin, 'git'), 0o755)
  process.env['PATH'] = `${bin}:${path}`
  onTestFinished(() => void (process.env['PATH'] = path))
  return () => readFileSync(calls, 'utf8')
}

function textsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
}

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})

//
test.each([
  ['a token', { kind: 'token', token: () => personalToken }],
  ['an App', { kind: 'app', id: 12, key: () => privateKey }],
] as const)('with %s, no secret is anywhere in clear', async (_, auth) => {
  const calls = watchedGit()
  const world = await githubWorld({ auth, isAutomatic: true })
  if (auth.kind === 'app') world.fake.state.login = 'mergeyard[bot]'
  await world.open(7, { 'pay.txt': 'twice\n' }, { labels: ['merge-queue-submit'] })
  await world.queue.untilState('MERGED', 7)
  await expect.poll(() => world.said(7)).toHaveLength(1)
  // Every request fails from here on, and says so.
  world.fake.close()
  await expect.poll(() => world.queue.host().status().faults).not.toEqual([])
  const everything = [
    calls(),
    world.log.join(''),
    world.queue.host().status().faults.join(),
    ...textsIn(world.queue.folder),
  ]
  const token = auth.kind === 'token' ? personalToken : installationToken
  const basic = Buffer.from(`x-access-token:${token}`).toString('base64')
  const keyLine = privateKey.split('\n')[3] ?? ''
  for (const secret of [token, basic, keyLine, hookSecret]) {
    expect(everything.filter((text) => text.includes(secret))).toEqual([])
  }
  expect(calls()).toContain('push')
  expect(everything.join('')).toContain('/acme/shop.git')
})

test.each([
  `bad credentials: ${personalToken}`,
  `GET with token ${installationToken} failed`,
  'authorization: Basic eC1hY2Nlc3MtdG9rZW46Z2hzXzEyMzQ1Njc4OTA=',
  'bearer eyJhbGciOi.eyJpYXQiOjE3.c2lnbmF0dXJl',
])('a failure hides what looks like a secret: %s', (text) => {
  const { message } = failureOf('GET /user', new Error(text))
  expect(message).toContain('[secret]')
  expect(message).not.toMatch(/pat_Personal|ghs_Inst|eC1hY2Nl|eyJ/)
})

test('words without a secret stay as they are', () => {
  expect(withoutSecrets('the token is missing; basic auth is off')).toBe(
    'the token is missing; basic auth is off',
  )
})
