/** Who may send webhooks, and how much of them. */

import { createServer, request, type ClientRequest } from 'node:http'
import { generateKeyPairSync } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { answerHook, type HookPorts } from '../code-host/hook.ts'
import { HookBudgets } from '../http/limits.ts'
import { listening } from '../testing/listening.ts'
import { githubDialect } from './adapter.ts'
import { githubWorld, personalToken } from './testing/fake-github.ts'
import { matrix } from '../../engine/testing/matrix.ts'
import { failureOf, withoutSecrets } from './client.ts'
import { hookSecret } from '../code-host/testing/fake-hooks.ts'
import { expectHidden, watchedGit } from '../code-host/testing/code-host-world.ts'
import { installationToken } from './testing/repository-routes.ts'

/** A server that takes webhooks, which may take `hookMs` to arrive, and a stranger who sends some. */
async function hookServer(hookMs: number) {
  const limits = { budgets: new HookBudgets(), hookMs }
  const ports: HookPorts = {
    path: '/hooks/github',
    dialect: githubDialect,
    secrets: () => ['secret'],
    notify: () => undefined,
  }
  const server = createServer((incoming, response) => {
    void answerHook(ports, limits, incoming, response)
  })
  const port = await listening(server)
  return (size: number): ClientRequest => {
    const headers = { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}`, 'content-length': size }
    const sent = request({ host: '127.0.0.1', port, method: 'POST', headers, agent: false })
    onTestFinished(() => void sent.destroy())
    return sent
  }
}

/** Undefined: the connection was closed without an answer. */
function statusOf(sent: ClientRequest): Promise<number | undefined> {
  sent.flushHeaders()
  return new Promise((resolve) => {
    sent.on('response', (response) => resolve(response.resume().statusCode))
    sent.on('error', () => resolve(undefined))
  })
}

const mebibyte = 1 << 20

//
test('a webhook that does not arrive is dropped', async () => {
  const stranger = await hookServer(20)
  expect(await statusOf(stranger(mebibyte))).toBe(undefined)
})

//
test('webhooks that an address has not finished hold 8 MiB at most', async () => {
  const stranger = await hookServer(600_000)
  expect(await statusOf(stranger(8 * mebibyte + 1))).toBe(413)
  const unfinished = Array.from({ length: 9 }, () => {
    const sent = stranger(2 * mebibyte)
    sent.write(Buffer.alloc(mebibyte))
    return statusOf(sent)
  })
  expect(await Promise.race(unfinished)).toBe(503)
})

// Where credentials must not be: arguments, addresses, logs, errors, and the data folder.

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
  await world.ask(7)
  await world.queue.untilState('MERGED', 7)
  await expect.poll(() => world.said(7)).toHaveLength(1)
  const basic = btoa(`x-access-token:${installationToken}`)
  const keyLine = privateKey.split('\n')[3] ?? ''
  await expectHidden(world, calls, [installationToken, basic, keyLine, hookSecret])
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
