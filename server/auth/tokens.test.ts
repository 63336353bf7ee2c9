/** The tokens file, the first token, and the token of one process. */

import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Client, main, Contract } from '../testing/client.ts'
import { issue, start, type TestServer } from '../testing/test-server.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import { dataFolder, segmentFile, segmentsIn } from '../store/data-folder.ts'
import { readTokens, writeTokens } from './tokens.ts'

const clientOf = ({ url }: TestServer, token: string): Client =>
  new Client(url, token, new Contract())

test('a new or revoked token takes effect soon, without a restart', async () => {
  const server = await start(temporaryFolder())
  const statusWith = async (token: string): Promise<number> =>
    (await server.client.call('getQueue', main, { token })).status
  const secret = await issue(server.data, 'read')
  await expect.poll(() => statusWith(secret)).toBe(404)
  const { tokens } = dataFolder(server.data)
  expect(readFileSync(tokens, 'utf8')).not.toContain(secret)
  expect(statSync(tokens).mode & 0o777).toBe(0o600)
  await writeTokens(tokens, [])
  await expect.poll(() => statusWith(secret)).toBe(401)
  await server.stop()
})

test('given a changed tokens file that is not valid, the previous tokens stay in force and the log says so', async () => {
  const data = temporaryFolder()
  const secret = await issue(data, 'read')
  const server = await start(data)
  writeFileSync(dataFolder(data).tokens, '[{"id":"x"}]')
  await expect.poll(() => server.log.join('')).toContain('stay in force')
  expect((await server.client.call('getQueue', main, { token: secret })).status).toBe(404)
  expect(server.log.join('')).toContain('is not a list of tokens')
  await server.stop()
  await expect(start(data)).rejects.toThrow('is not a list of tokens')
})

test.each(['tokens', 'webhooks'] as const)(
  'a start names a %s file that is not JSON',
  async (file) => {
    const data = temporaryFolder()
    const path = dataFolder(data)[file]
    writeFileSync(path, '[,]')
    const words = new RegExp(`^${path} is not JSON: .*: correct it, or take it from a backup$`)
    await expect(start(data)).rejects.toThrow(words)
  },
)

test('a first start without any token issues an admin token and shows it once', async () => {
  const data = temporaryFolder()
  const messages: string[] = []
  const first = await start(data, { token: null, onFirstToken: (secret) => messages.push(secret) })
  expect(messages).toHaveLength(1)
  await clientOf(first, messages[0] ?? '').ok('createQueue', main)
  await first.stop()
  const second = await start(data, { token: null, onFirstToken: (secret) => messages.push(secret) })
  expect(messages).toHaveLength(1)
  await clientOf(second, messages[0] ?? '').ok('getQueue', main)
  expect([...first.log, ...second.log].join('')).not.toContain(messages[0])
  await second.stop()
})

test('the token of one process is not stored, and no other token is issued', async () => {
  const server = await start(temporaryFolder())
  await server.client.ok('createQueue', main)
  expect(readTokens(dataFolder(server.data).tokens)).toEqual([])
  await server.stop()
})

test('headers of forked workflows neither replace nor invalidate the token', async () => {
  const { client, stop } = await start(temporaryFolder())
  const headers = { 'x-forked-workflow-run-id': '17', 'x-source': 'terraform' }
  const statusWith = async (token: string | null): Promise<number> =>
    (await client.call('createQueue', main, { headers, token })).status
  expect(await statusWith(null)).toBe(401)
  expect(await statusWith('')).toBe(401)
  expect((await client.call('createQueue', main, { headers })).status).toBe(200)
  const bearer = { headers: { authorization: 'Bearer admin-token-of-a-test' }, token: null }
  expect((await client.call('getQueue', main, bearer)).status).toBe(401)
  const metrics = '/v1/getMergeQueueMetrics'
  expect((await client.get('getMergeQueueMetrics', metrics, bearer)).status).toBe(200)
  await stop()
})

/** Every file of a folder with its content. */
function contentOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => statSync(join(folder, name)).isFile())
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

//
test.each(['tokens', 'webhooks', 'outbox'] as const)(
  'a start that refuses %s has changed nothing',
  async (file) => {
    const data = temporaryFolder()
    const first = await start(data)
    await first.client.ok('createQueue', main)
    await first.stop()
    const folder = dataFolder(data)
    // A crash has left a line that a start cuts off.
    appendFileSync(segmentFile(folder, segmentsIn(folder).at(-1) ?? 0), '{"sequence":2,"at')
    writeFileSync(folder[file], '[{"id"')
    const before = contentOf(data)

    await expect(start(data)).rejects.toThrow(`${file}.json`)

    expect(contentOf(data)).toEqual(before)
  },
)

//
test('a start that refuses in a new folder leaves only what was there', async () => {
  const data = temporaryFolder()
  writeFileSync(dataFolder(data).tokens, '{}')
  await expect(start(data)).rejects.toThrow('is not a list of tokens')
  expect(contentOf(data)).toEqual({ 'tokens.json': '{}' })
  expect(readdirSync(data)).toEqual(['tokens.json'])
})

//
test('given a tokens file with a pattern that is not one, the start fails', async () => {
  const data = temporaryFolder()
  await issue(data, 'read', { repos: ['acme/*'] })
  const { tokens } = dataFolder(data)
  writeFileSync(tokens, readFileSync(tokens, 'utf8').replace('acme/*', 'acme'))
  await expect(start(data)).rejects.toThrow('is not a list of tokens')
})
