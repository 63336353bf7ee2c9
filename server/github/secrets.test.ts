/** Where credentials must not be: arguments, addresses, logs, errors, and the data folder. */

import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { failureOf, withoutSecrets } from './client.ts'
import { hookSecret } from '../forge/testing/fake-hooks.ts'
import { everythingOf, watchedGit } from '../forge/testing/secrets-watch.ts'
import { githubWorld, personalToken } from './testing/fake-github.ts'
import { installationToken } from './testing/repository-routes.ts'

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})

//
test('with an App, no secret is anywhere in clear', matrix, async () => {
  const calls = watchedGit()
  const auth = { kind: 'app', id: 12, key: () => privateKey } as const
  const world = await githubWorld({ auth, isAutomatic: true })
  world.fake.state.login = 'mergeyard[bot]'
  await world.open(7, { 'pay.txt': 'twice\n' }, { labels: ['merge-queue'] })
  await world.queue.untilState('MERGED', 7)
  await expect.poll(() => world.said(7)).toHaveLength(1)
  const everything = await everythingOf(world, calls)
  const basic = btoa(`x-access-token:${installationToken}`)
  const keyLine = privateKey.split('\n')[3] ?? ''
  for (const secret of [installationToken, basic, keyLine, hookSecret]) {
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
])('a failure hides what looks like a secret: %s', matrix, (text) => {
  const { message } = failureOf('GET /user', new Error(text))
  expect(message).toContain('[secret]')
  expect(message).not.toMatch(/pat_Personal|ghs_Inst|eC1hY2Nl|eyJ/)
})

test('words without a secret stay as they are', () => {
  expect(withoutSecrets('the token is missing; basic auth is off')).toBe(
    'the token is missing; basic auth is off',
  )
})
