import { existsSync, statSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { Webhook } from 'standardwebhooks'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { main as queue, main } from '../../../server/testing/client.ts'
import { failing, receiver, accepting } from '../../../server/testing/receiver.ts'
import { start, temporaryFolder } from '../../../server/testing/test-server.ts'
import { readEndpoints } from '../../../server/webhooks/message.ts'
import { OutboxFile } from '../../../server/webhooks/outbox.ts'
import { CliFolder } from '../testing/cli-folder.ts'
import { dataFolder, segmentFile } from '../../../server/store/data-folder.ts'
import { freePort } from '../../../server/postgres/testing/private-postgres.ts'
import { blocksOf, repositoryRoot } from '../../../server/testing/readme.ts'
import { type Program, startProgram } from '../testing/program.ts'

const home = new CliFolder()
afterAll(() => home.remove())

/** Runs the words of a command line on a data folder. */
const mergeyard = (data: string, line: string) =>
  home.run(line.split(' '), { MERGEYARD_DATA: data })

describe('tokens', () => {
  test('can be created while the server runs, listed without their secret, and revoked', async () => {
    const data = temporaryFolder()
    const { client, stop } = await start(data)
    onTestFinished(stop)

    const { code, out, err } = await mergeyard(data, 'token create --scope submit --name bot')
    const token = out.trim()
    const listed = await mergeyard(data, 'token list')
    const call = async (): Promise<number> =>
      (await client.call('getQueue', queue, { token })).status

    expect(code).toBe(0)
    expect(token).toMatch(/^my_[\w-]{43}$/)
    expect(err).toContain('has the scope submit')
    expect(listed.out).toMatch(
      /^id +scope +repos +expires +since +name\n[0-9a-f-]{36} +submit +all +never +\S+ +bot\n$/,
    )
    // The token is accepted: only the queue does not exist.
    await expect.poll(call).toBe(404)
    expect(await mergeyard(data, 'token revoke bot')).toMatchObject({ code: 0, out: '' })
    await expect.poll(call).toBe(401)
  })

  test('can be created before the first start, in a folder that only its owner can read', async () => {
    const data = `${temporaryFolder()}/new`

    const { out } = await mergeyard(data, 'token create --scope read --json')

    expect(JSON.parse(out)).toMatchObject({ scope: 'read', name: 'read' })
    expect(statSync(data).mode % 0o1000).toBe(0o700)
    expect(statSync(`${data}/tokens.json`).mode % 0o1000).toBe(0o600)
    expect(existsSync(`${data}/admin.lock`)).toBe(false)
  })
})

//
test('a token can be limited to repositories and to a time, and the list shows both', async () => {
  const data = temporaryFolder()
  const create = (more: string) => mergeyard(data, `token create --scope report ${more}`)

  const limited = await create('--repo acme/*,gitlab.com/x/** --expires 2999-01-31')
  const { out } = await create('--expires 30d --json')
  const { out: listed } = await mergeyard(data, 'token list')

  expect(limited.err).toContain(
    'has the scope report for acme/*,gitlab.com/x/** until 2999-01-31T00:00:00.000Z.',
  )
  const { expiresAt }: { readonly expiresAt: string } = JSON.parse(out)
  const since = new RegExp(`${expiresAt} +(\\S+)`).exec(listed)?.[1] ?? ''
  expect(Date.parse(expiresAt) - Date.parse(since)).toBe(30 * 24 * 60 * 60_000)
  expect(listed).toMatch(/ report +acme\/\*,gitlab.com\/x\/\*\* +2999-01-31T00:00:00.000Z /)
  expect(listed).toContain(`  all                     ${expiresAt}`)
})

describe('webhooks', () => {
  test('can be added while the server runs, tested, listed and removed', async () => {
    const data = temporaryFolder()
    const { client, stop, log } = await start(data)
    onTestFinished(stop)
    const { endpoint, received, messages, untilReceived } = await receiver(accepting)
    const { url } = endpoint

    const added = await mergeyard(data, `webhook add ${url} --events queue.created,queue.deleted`)
    const tried = await mergeyard(data, `webhook test ${url}`)
    await untilReceived(1)
    const isListed = async (): Promise<string> => (await mergeyard(data, 'webhook list')).out
    await expect.poll(() => log.join('')).toContain('read the webhooks again')
    await client.ok('createQueue', queue)
    await client.ok('deleteQueue', queue)
    await untilReceived(3)

    expect(tried).toEqual({ code: 0, out: '', err: `${url} accepted the message.\n` })
    expect(messages()).toEqual(['mergeyard.test', 'queue.created', 'queue.deleted'])
    const [first] = received
    const headers = Object.fromEntries(
      Object.entries(first?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    )
    expect(new Webhook(added.out.trim()).verify(first?.text ?? '', headers)).toMatchObject({
      type: 'mergeyard.test',
    })
    await expect
      .poll(isListed)
      .toMatch(/\n\S{36} +0 +0 +sending +queue.created,queue.deleted +http\S+\n$/)
    expect((await mergeyard(data, `webhook remove ${url}`)).code).toBe(0)
    expect(await isListed()).toBe('id  waiting  undelivered  state  events  url\n')
  })

  test('given a token in its address, neither the list nor the commands that change it show it', async () => {
    const data = temporaryFolder()
    const url = 'http://127.0.0.1:8080/hooks?token=s3cret'
    await mergeyard(data, `webhook add ${url}`)

    const shown = [
      await mergeyard(data, 'webhook list'),
      await mergeyard(data, 'webhook list --json'),
      await mergeyard(data, `webhook resend ${url}`),
      await mergeyard(data, `webhook remove ${url}`),
    ].map(({ out, err }) => out + err)

    for (const text of shown) {
      expect(text).toContain('http://127.0.0.1:8080/hooks?...')
      expect(text).not.toContain('s3cret')
    }
  })

  test('given a message that could not be delivered, the commands list it with the reason and resend it', async () => {
    const data = temporaryFolder()
    const { endpoint } = await receiver(failing)
    const { out } = await mergeyard(data, `webhook add ${endpoint.url} --json`)
    const { id }: { readonly id: string } = JSON.parse(out)
    const outbox = await OutboxFile.open(`${data}/outbox.jsonl`, (error) =>
      expect(error).toBeNull(),
    )
    const lanes = ['github.com/acme/shop:main#7']
    const message = {
      id: 'msg_1',
      type: 'pull_request.merged',
      lanes,
      payload: '{"pr_number":7}',
    } as const
    outbox.add({ line: 'endpoint', endpoint: id })
    outbox.add({ line: 'message', message, to: [id] })
    outbox.add({ line: 'undelivered', endpoint: id, message: 'msg_1', fault: 'answered 500' })
    await outbox.close()

    const messages = await mergeyard(data, `webhook undelivered ${id.slice(0, 8)}`)
    const listed = await mergeyard(data, 'webhook list')
    const tried = await mergeyard(data, `webhook test ${id}`)

    expect(messages.out).toBe(
      'message  type                 about        fault\n' +
        'msg_1    pull_request.merged  shop:main#7  answered 500\n',
    )
    expect(listed.out).toContain('  0        1            sending')
    expect(await mergeyard(data, `webhook resend ${id}`)).toMatchObject({
      code: 0,
      err: expect.stringContaining(`1 message is sent to ${endpoint.url} again`),
    })
    expect(readEndpoints(`${data}/webhooks.json`)).toMatchObject([
      { id, resendWished: expect.stringMatching(/^\d{4}-/) },
    ])
    expect(tried).toEqual({ code: 1, out: '', err: `mergeyard: ${endpoint.url} answered 500\n` })
  })
})

//
test('a private address is a target if the administrator says so', async () => {
  const data = temporaryFolder()

  const { code } = await mergeyard(data, 'webhook add http://10.0.0.7/ --allow-private')

  expect(code).toBe(0)
  expect(readEndpoints(`${data}/webhooks.json`)).toMatchObject([
    { url: 'http://10.0.0.7/', allowPrivate: true },
  ])
})

test.each([
  ['token create', 'expected --scope, one of read, report, submit, admin, got no --scope'],
  ['token create --scope all', 'one of read, report, submit, admin, got --scope all'],
  [
    'token create --scope read more',
    'token create: command line: expected options only, got "more"',
  ],
  [
    'token create --scope read --repo acme',
    'patterns like acme/shop, acme/* or gitlab.com/acme/**',
  ],
  ['token create --scope read --repo acme/shop,', 'got --repo acme/shop,'],
  ['token create --scope read --expires 2020-01-01', 'expected a time to come: 30d'],
  ['token create --scope read --expires tomorrow', 'got --expires tomorrow'],
  ['token revoke', 'token revoke: command line: expected <id>, got nothing'],
  ['token revoke nobody', 'expected an id or name that list shows, got "nobody"'],
  ['token list --scope read', 'expected an option that --help lists, got --scope'],
  ['token list --data=', 'expected --data <folder>, or no --data, got --data ""'],
  ['token', 'Usage: mergeyard token <command>'],
  ['token steal', 'expected one of create, list, revoke, got "steal"'],
  ['webhook add ftp://x', 'expected a URL with http or https, got "ftp://x"'],
  ['webhook add http://127.0.0.1 --events merged', 'pull_request.merged'],
  ['webhook add https://me:secret@x.example', 'a URL without a user and password'],
  ['webhook add http://127.0.0.1:25/', 'another port: 25 belongs to another protocol'],
  ['webhook add http://192.168.0.7/', 'or --allow-private: 192.168.0.7 is a private address'],
  ['webhook add http://[fe80::1]:8080/', 'or --allow-private: fe80::1 is a private address'],
  ['webhook list --loud', 'expected an option that --help lists, got --loud'],
])('an invalid command line is reported, and nothing changes: %s', async (line, fault) => {
  const data = temporaryFolder()

  const { code, out, err } = await mergeyard(data, line)

  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain(fault)
  expect(existsSync(`${data}/tokens.json`)).toBe(false)
  expect(existsSync(`${data}/webhooks.json`)).toBe(false)
  expect(err).not.toContain('secret')
})

// `mergeyard backup`, `restore` and `verify`: their output and their exit codes.

//
test('given a running server, a backup is written, restored and verified', async () => {
  const { client, data, stop } = await start(temporaryFolder())
  onTestFinished(stop)
  await client.ok('createQueue', queue)

  const written = await home.run(['backup', data, 'out.tar'])
  expect(written).toMatchObject({ code: 0, err: '' })
  expect(written.out).toMatch(/out\.tar: \d+ files, \d+ bytes, up to entry 1, 20\d\d-\S+Z\n$/)
  const restored = await home.run(['restore', 'out.tar', 'copy', '--json'])
  expect(JSON.parse(restored.out)).toMatchObject({
    data: join(home.path, 'copy'),
    end: { segment: 1, sequence: 1 },
  })
  for (const folder of [data, 'copy']) {
    const { code, out, err } = await home.run(['verify', folder])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^whole: \d segments?\n$/)
  }

  const again = await home.run(['restore', 'out.tar', 'copy'])
  expect(again).toEqual({
    code: 1,
    out: '',
    err: `mergeyard: ${join(home.path, 'copy')} is not empty: restore into a new folder\n`,
  })
  const twice = await home.run(['backup', data, 'out.tar'])
  expect(twice).toMatchObject({ code: 1, out: '', err: expect.stringContaining('exists already') })
})

//
test('given damage, verify prints a line per fault and exits with 1', async () => {
  const { client, data, stop } = await start(temporaryFolder())
  await client.ok('createQueue', queue)
  await stop()
  const file = segmentFile(dataFolder(data), 1)
  writeFileSync(file, readFileSync(file, 'utf8').replace('createQueue', 'createQueuf'))
  const { code, out, err } = await home.run(['verify', data])
  expect({ code, err }).toEqual({ code: 1, err: '' })
  expect(out).toMatch(/^\S+00000001\.jsonl, line 2: expected a whole line .*\n$/)
  const { faults }: { readonly faults: readonly string[] } = JSON.parse(
    (await home.run(['verify', data, '--json'])).out,
  )
  expect(faults).toHaveLength(1)
})

test.each([
  [['verify'], 'expected <data>, got nothing'],
  [['backup', 'data'], 'expected <data> <out.tar>, got only data'],
  [['verify', 'nowhere'], 'nowhere: expected the data folder of a server, with a command log'],
])('%j is refused in one line with exit code 2', async (args, text) => {
  const { code, out, err } = await home.run(args)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(/^[^\n]+\n$/)
  expect(err).toContain(text)
})

// Runs the commands of the section "Tokens, webhooks, metrics" of server/operating while a server runs. Only the
// data folder and the ports differ. (A test with Prometheus covers the scrape configuration.)

const guide = { file: 'server/operating/README.md', section: 'Tokens, webhooks, metrics' }
/**
 * Replaces npx, which builds the project anew where no installation has: other tests have its pages open. The check of
 * the package uses what npx finds.
 */
const npxReplacement = `npx() { shift; node ${join('dist', 'bench', 'cli', 'mergeyard.js')} "$@"; }`

const hasBash = spawnSync('bash', ['--version']).error === undefined

test.skipIf(!hasBash)(
  `the commands of "${guide.section}" in the guide work unchanged${hasBash ? '' : ' (bash is not installed)'}`,
  async () => {
    const [tokens = '', receive = '', webhooks = '', scraper = ''] = blocksOf(guide, 'sh')
    const [program = ''] = blocksOf(guide, 'js')
    const { data, client, stop, log } = await start(temporaryFolder())
    onTestFinished(stop)
    const port = await freePort()
    const adapted = (text: string): string =>
      text
        .replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
        .replaceAll('receiver.mjs', join(data, 'receiver.mjs'))
        .replaceAll('> token', `> ${join(data, 'token')}`)
    const startScript = (script: string): Program => {
      const text = `${npxReplacement}\n${adapted(script)}`
      const env = { ...process.env, MERGEYARD_DATA: data }
      const shell = ['bash', '-euo', 'pipefail', '-c', text]
      return startProgram(shell, { cwd: repositoryRoot, env, detached: true })
    }
    const runScript = async (script: string) => {
      const { ended, all } = startScript(script)
      return { code: await ended, output: all() }
    }

    const issued = await runScript(tokens)
    expect(issued).toEqual({
      code: 0,
      output: expect.stringMatching(/^my_[\s\S]*report[\s\S]*Revoked/m),
    })

    // The receiver is outside the repository, so it imports the package by its path.
    const library = new URL('node_modules/standardwebhooks/dist/index.js', repositoryRoot).href
    const text = program.replace(/'standardwebhooks'/, `'${library}'`)
    writeFileSync(join(data, 'receiver.mjs'), text.replace('8080', String(port)))
    const receiving = startScript(receive)
    onTestFinished(() => void process.kill(-(receiving.process.pid ?? 0), 'SIGTERM'))
    await receiving.prints(/listening/)
    await expect.poll(() => log.join('')).toContain('read the webhooks again')
    await client.ok('createQueue', main)
    await client.ok('submitPullRequest', { ...main, pr: { number: 7 } })
    await receiving.prints(/pull_request\.testing 7/)

    const kept = await runScript(webhooks)
    expect(kept).toEqual({
      code: 0,
      output: expect.stringMatching(/accepted[\s\S]*sending[\s\S]*Removed/),
    })
    expect(receiving.out()).toContain('mergeyard.test')

    expect(await runScript(scraper)).toMatchObject({ code: 0 })
  },
)
