import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { main as queue } from '../../../server/testing/client.ts'
import { failing, receiver, accepting } from '../../../server/testing/receiver.ts'
import { endingWithTest, start } from '../../../server/testing/test-server.ts'
import { temporaryFolder } from '../../../server/terminal/testing/temporary-folder.ts'
import { readEndpoints } from '../../../server/webhooks/message.ts'
import { OutboxFile } from '../../../server/webhooks/outbox.ts'
import { CliFolder } from '../testing/cli-folder.ts'
import { dataFolder, segmentFile } from '../../../server/store/data-folder.ts'
import { freePort } from '../../../server/postgres/testing/private-postgres.ts'
import { blocksOf, repositoryRoot } from '../../../server/testing/readme.ts'
import { isMissing } from '../../../server/testing/system-program.ts'
import { executable } from '../../benchmarks/served.ts'
import { type Program, startProgram } from '../testing/program.ts'

const home = new CliFolder()

/** Each test has a data folder of its own, on which its commands work. */
let data = ''
beforeEach(() => {
  data = temporaryFolder()
  home.env['MERGEYARD_DATA'] = data
})

/** A server on that folder. */
const started = async () => endingWithTest(await start(data))

describe('tokens', () => {
  test('can be created while the server runs, listed without their secret, and revoked', async () => {
    const { client } = await started()

    const { code, out, err } = await home.run('token create --scope submit --name bot')
    const token = out.trim()
    const listed = await home.printed('token list')
    const call = async (): Promise<number> =>
      (await client.call('getQueue', queue, { token })).status

    expect(code).toBe(0)
    expect(token).toMatch(/^my_[\w-]{43}$/)
    expect(err).toContain('has the scope submit')
    expect(listed).toMatch(
      /^id +scope +repos +expires +since +name\n[0-9a-f-]{36} +submit +all +never +\S+ +bot\n$/,
    )
    // The token is accepted: only the queue does not exist.
    await expect.poll(call).toBe(404)
    const revoked = await home.document<object>('token revoke bot --json')
    expect(revoked).toEqual({ id: expect.any(String), name: 'bot', scope: 'submit' })
    await expect.poll(call).toBe(401)
  })

  const isRoot = process.getuid?.() === 0
  test.skipIf(!isRoot)('that root creates belong to whom the folder belongs', async () => {
    const [uid, gid] = [65_534, 65_533]
    chownSync(data, uid, gid)
    await home.document('token create --scope read --json')
    expect(statSync(`${data}/tokens.json`)).toMatchObject({ uid, gid })
  })

  test.skipIf(!isRoot || isMissing('setpriv'))('root that may give nothing away keeps', () => {
    chownSync(data, 65_534, 65_533)
    const create = ['token', 'create', '--scope', 'read', '--data', data]
    const args = ['--bounding-set=-chown', '--inh-caps=-chown', process.execPath, executable]
    expect(spawnSync('setpriv', [...args, ...create]).status).toBe(0)
    expect(statSync(`${data}/tokens.json`)).toMatchObject({ uid: 0 })
  })

  test('can be created before the first start, in a folder that only its owner can read', async () => {
    const own = `${data}/new`
    const token = await home.document(`token create --scope read --json --data '${own}'`)
    expect(token).toMatchObject({ scope: 'read', name: 'read' })
    expect(statSync(own).mode % 0o1000).toBe(0o700)
    expect(statSync(`${own}/tokens.json`).mode % 0o1000).toBe(0o600)
    expect(existsSync(`${own}/admin.lock`)).toBe(false)
  })
})

//
test('a token can be limited to repositories and to a time, and the list shows both', async () => {
  const create = 'token create --scope report'
  const limited = await home.run(`${create} --repo acme/*,gitlab.com/x/** --expires 2999-01-31`)
  const { expiresAt } = await home.document<{ readonly expiresAt: string }>(
    `${create} --expires 30d --json`,
  )
  const listed = await home.printed('token list')

  expect(limited.err).toContain(
    'has the scope report for acme/*,gitlab.com/x/** until 2999-01-31T00:00:00.000Z.',
  )
  const since = new RegExp(`${expiresAt} +(\\S+)`).exec(listed)?.[1] ?? ''
  expect(Date.parse(expiresAt) - Date.parse(since)).toBe(30 * 24 * 60 * 60_000)
  expect(listed).toMatch(/ report +acme\/\*,gitlab.com\/x\/\*\* +2999-01-31T00:00:00.000Z /)
  expect(listed).toContain(`  all                     ${expiresAt}`)
})

describe('webhooks', () => {
  test('can be added while the server runs, tested, listed and removed', async () => {
    const { client, log } = await started()
    const { endpoint, received, messages, untilReceived } = await receiver(accepting)
    const { url } = endpoint

    const added = await home.run(`webhook add ${url} --events queue.created,queue.deleted`)
    const tried = await home.run(`webhook test ${url}`)
    await untilReceived(1)
    const isListed = () => home.printed('webhook list')
    await expect.poll(() => log.join('')).toContain('read the webhooks again')
    await client.ok('createQueue', queue)
    await client.ok('deleteQueue', queue)
    await untilReceived(3)

    expect(tried).toEqual({ code: 0, out: `${url} accepted the message.\n`, err: '' })
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
    const removed = await home.document<object>(`webhook remove ${url} --json`)
    expect(removed).toEqual({ id: expect.any(String), url })
    expect(await isListed()).toBe('id  waiting  undelivered  state  events  url\n')
  })

  //
  test('given an outbox that is gone, the log of the next start says what is lost with it', async () => {
    await home.run('webhook add http://127.0.0.1/')
    const first = await start(data)
    await first.client.ok('createQueue', queue)
    await first.stop()
    rmSync(dataFolder(data).outbox)
    const again = await started()
    const words = 'what waited to be delivered to webhooks is lost'
    expect([first, again].map(({ log }) => log.join('').includes(words))).toEqual([false, true])
  })

  test('given a token in its address, neither the list nor the commands that change it show it', async () => {
    const url = 'http://127.0.0.1:8080/hooks?token=s3cret'
    await home.run(`webhook add ${url}`)
    for (const line of ['list', 'list --json', `resend ${url}`, `remove ${url}`]) {
      const { out, err } = await home.run(`webhook ${line}`)
      expect(out + err).toContain('http://127.0.0.1:8080/hooks?...')
      expect(out + err).not.toContain('s3cret')
    }
  })

  test('given a message that could not be delivered, the commands list it with the reason and resend it', async () => {
    const { endpoint } = await receiver(failing)
    const added = `webhook add ${endpoint.url} --json`
    const { id } = await home.document<{ readonly id: string }>(added)
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

    const messages = await home.printed(`webhook undelivered ${id.slice(0, 8)}`)
    const listed = await home.printed('webhook list')
    const tried = await home.run(`webhook test ${id}`)

    expect(messages).toBe(
      'message  type                 about        fault\n' +
        'msg_1    pull_request.merged  shop:main#7  answered 500\n',
    )
    expect(listed).toContain('  0        1            sending')
    expect(await home.run(`webhook resend ${id}`)).toMatchObject({
      code: 0,
      out: expect.stringContaining(`1 message is sent to ${endpoint.url} again`),
    })
    expect(readEndpoints(`${data}/webhooks.json`)).toMatchObject([
      { id, resendWished: expect.stringMatching(/^\d{4}-/) },
    ])
    expect(tried).toEqual({ code: 1, out: '', err: `mergeyard: ${endpoint.url} answered 500\n` })
  })
})

//
test('a private address is a target if the administrator says so', async () => {
  const { code } = await home.run('webhook add http://10.0.0.7/ --allow-private')
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
  ['token revoke nobody', 'expected an id, name or URL that list shows, got "nobody"'],
  [
    'token list --data nowhere',
    /there is no data folder .*nowhere: name that of a server with --data\n$/,
  ],
  ['webhook list --data nowhere', 'there is no data folder'],
  ['token list --data a-file', 'there is no data folder'],
  ['token revoke ci --data nowhere', 'there is no data folder'],
  ['token list --scope read', 'expected an option that --help lists, got --scope'],
  ['token list --data=', 'expected --data <folder>, or no --data, got --data ""'],
  ['webhook add ftp://x', 'expected a URL with http or https, got "ftp://x"'],
  ['webhook add http://127.0.0.1 --events merged', 'pull_request.merged'],
  ['webhook add https://me:secret@x.example', /^(?!.*secret).*a URL without a user and password/],
  ['webhook add http://127.0.0.1:25/', 'another port: 25 belongs to another protocol'],
  ['webhook add http://192.168.0.7/', 'or --allow-private: 192.168.0.7 is a private address'],
  ['webhook add http://[fe80::1]:8080/', 'or --allow-private: fe80::1 is a private address'],
  ['verify', 'expected <data>, got nothing'],
  ['backup data', 'expected <data> <out.tar>, got only data'],
  ['verify nowhere', 'nowhere: expected the data folder of a server, with a command log'],
  ['backup nowhere out.tar', 'nowhere: expected the data folder of a server, with a command log'],
  ['restore . copy', /: file: expected a file that can be read, got a folder\n$/],
  ['restore nowhere.tar copy', 'nowhere.tar: file: expected a file that can be read, got no such'],
  ['copy nowhere postgres://db/x', 'nowhere: expected the data folder of a server, with a command'],
])('%s is refused, and nothing changes', async (line, words) => {
  home.write('a-file', '')
  await home.refuses(line, words)
  expect(readdirSync(data).filter((name) => name.endsWith('.json'))).toEqual([])
  expect(existsSync(join(home.path, 'nowhere'))).toBe(false)
})

// `mergeyard backup`, `restore` and `verify`: their output and their exit codes.

//
test('given a running server, a backup is written, restored and verified', async () => {
  const { client } = await started()
  await client.ok('createQueue', queue)

  const written = await home.printed(`backup '${data}' out.tar`)
  expect(written).toMatch(/out\.tar: \d+ files, \d+ bytes, up to entry 1, 20\d\d-\S+Z\n$/)
  expect(await home.document('restore out.tar copy --json')).toMatchObject({
    data: join(home.path, 'copy'),
    end: { segment: 1, sequence: 1 },
  })
  for (const folder of [data, 'copy'])
    expect(await home.printed(`verify '${folder}'`)).toMatch(/^whole: \d segments?\n$/)

  const again = await home.run('restore out.tar copy')
  expect(again).toEqual({
    code: 1,
    out: '',
    err: `mergeyard: ${join(home.path, 'copy')} is not empty: restore into a new folder\n`,
  })
  const place = join(home.path, 'out.tar')
  for (const [line, words] of [
    ['restore out.tar out.tar', `the data folder ${place} cannot be used: ENOTDIR`],
    [`backup '${data}' out.tar/x.tar`, `${place}: no such folder, make it first`],
  ]) {
    const refused = { code: 1, out: '', err: expect.stringContaining(words ?? '') }
    expect(await home.run(line ?? '')).toEqual(refused)
  }
  const twice = await home.run(`backup '${data}' out.tar`)
  const words = expect.stringContaining('exists already: name another file')
  expect(twice).toMatchObject({ code: 1, out: '', err: words })
})

//
test('given a folder in which nothing can be written any more, a backup elsewhere is whole', async () => {
  const { client, stop } = await start(data)
  await client.ok('createQueue', queue)
  await stop()
  mkdirSync(dataFolder(data).backup)
  const { code, out, err } = await home.run(`backup '${data}' rescued.tar`)
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('up to entry 1, ') })
  expect(err).toMatch(/^backup: the backup is whole, but .*EISDIR.*\n$/)
  await home.printed('restore rescued.tar rescued')
})

//
test('given damage, verify prints a line per fault and exits with 1', async () => {
  const { client, stop } = await start(data)
  await client.ok('createQueue', queue)
  await stop()
  const file = segmentFile(dataFolder(data), 1)
  writeFileSync(file, readFileSync(file, 'utf8').replace('createQueue', 'createQueuf'))
  const { code, out, err } = await home.run(`verify '${data}'`)
  expect({ code, err }).toEqual({ code: 1, err: '' })
  expect(out).toMatch(/^.+00000001\.jsonl, line 2: expected a whole line .*\n$/)
  for (const name of ['tokens.json', 'webhooks.json', 'outbox.jsonl'])
    writeFileSync(join(data, name), '[{')
  const { faults } = await home.document<{ faults: string[] }>(`verify '${data}' --json`)
  expect(faults).toHaveLength(4)
  expect(faults.join('\n')).toMatch(
    /line 2.*\n.*tokens\.json.*\n.*webhooks\.json.*\n.*outbox\.jsonl/,
  )
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
    const { client, log } = await started()
    const port = await freePort()
    const adapted = (text: string): string =>
      text
        .replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
        .replaceAll('receiver.mjs', `'${join(data, 'receiver.mjs')}'`)
        .replaceAll('> token', `> '${join(data, 'token')}'`)
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
    await client.ok('createQueue', queue)
    await client.ok('submitPullRequest', { ...queue, pr: { number: 7 } })
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
