import { existsSync, statSync } from 'node:fs'
import { Webhook } from 'standardwebhooks'
import { describe, expect, onTestFinished, test } from 'vitest'
import { main as queue } from '../testing/client.ts'
import { failing, receiver, polite } from '../testing/receiver.ts'
import { start, temporaryFolder } from '../testing/running.ts'
import { readEndpoints } from '../webhooks/endpoints.ts'
import { OutboxFile } from '../webhooks/outbox-file.ts'
import { main } from './main.ts'

type Said = { readonly code: number; readonly out: string; readonly err: string }

/** The command as it is called for a folder. */
async function mergeyard(data: string, ...args: readonly string[]): Promise<Said> {
  let [out, err] = ['', '']
  const code = await main(args, {
    say: (text) => void (out += text),
    explain: (text) => void (err += text),
    env: { MERGEYARD_DATA: data },
  })
  return { code, out, err }
}

describe('tokens', () => {
  test('are issued beside a running server, listed without their secret, and revoked', async () => {
    const data = temporaryFolder()
    const { client, stop } = await start(data)
    onTestFinished(stop)

    const { code, out, err } = await mergeyard(
      data,
      'token',
      'create',
      '--scope',
      'submit',
      '--name',
      'bot',
    )
    const token = out.trim()
    const listed = await mergeyard(data, 'token', 'list')
    const call = async (): Promise<number> =>
      (await client.call('getQueue', queue, { token })).status

    expect(code).toBe(0)
    expect(token).toMatch(/^my_[\w-]{43}$/)
    expect(err).toContain('of scope submit, shown this once')
    expect(listed.out).toMatch(/^id +scope +since +name\n[0-9a-f-]{36} +submit +\S+ +bot\n$/)
    // Known: so what is missing is the queue.
    await expect.poll(call).toBe(404)
    expect(await mergeyard(data, 'token', 'revoke', 'bot')).toMatchObject({ code: 0, out: '' })
    await expect.poll(call).toBe(401)
  })

  test('can be issued before there is a server, into a folder that only its owner reads', async () => {
    const data = `${temporaryFolder()}/new`

    const { out } = await mergeyard(data, 'token', 'create', '--scope', 'read', '--json')

    expect(JSON.parse(out)).toMatchObject({ scope: 'read', name: 'read' })
    expect(statSync(data).mode % 0o1000).toBe(0o700)
    expect(statSync(`${data}/tokens.json`).mode % 0o1000).toBe(0o600)
    expect(existsSync(`${data}/admin.lock`)).toBe(false)
  })
})

describe('webhooks', () => {
  test('are added beside a running server, tried out, listed and removed', async () => {
    const data = temporaryFolder()
    const { client, stop, log } = await start(data)
    onTestFinished(stop)
    const { endpoint, received, told, untilReceived } = await receiver(polite)
    const { url } = endpoint

    const added = await mergeyard(
      data,
      'webhook',
      'add',
      url,
      '--events',
      'queue.created,queue.deleted',
    )
    const tried = await mergeyard(data, 'webhook', 'test', url)
    await untilReceived(1)
    const isListed = async (): Promise<string> => (await mergeyard(data, 'webhook', 'list')).out
    await expect.poll(() => log.join('')).toContain('read the webhooks again')
    await client.ok('createQueue', queue)
    await client.ok('deleteQueue', queue)
    await untilReceived(3)

    expect(tried).toEqual({ code: 0, out: '', err: `${url} has taken it.\n` })
    expect(told()).toEqual(['mergeyard.test', 'queue.created', 'queue.deleted'])
    const [first] = received
    const headers = Object.fromEntries(
      Object.entries(first?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    )
    expect(new Webhook(added.out.trim()).verify(first?.text ?? '', headers)).toMatchObject({
      type: 'mergeyard.test',
    })
    await expect
      .poll(isListed)
      .toMatch(/\n\S{36} +0 +0 +sending +http\S+ +queue.created,queue.deleted\n$/)
    expect((await mergeyard(data, 'webhook', 'remove', url)).code).toBe(0)
    expect(await isListed()).toBe('id  waiting  undelivered  state  url  events\n')
  })

  test('say what could not be delivered to them, and why', async () => {
    const data = temporaryFolder()
    const { endpoint } = await receiver(failing)
    const { out } = await mergeyard(data, 'webhook', 'add', endpoint.url, '--json')
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

    const told = await mergeyard(data, 'webhook', 'undelivered', id.slice(0, 8))
    const listed = await mergeyard(data, 'webhook', 'list')
    const tried = await mergeyard(data, 'webhook', 'test', id)

    expect(told.out).toBe(
      'message  type                 about        fault\n' +
        'msg_1    pull_request.merged  shop:main#7  answered 500\n',
    )
    expect(listed.out).toContain('  0        1            sending')
    expect(await mergeyard(data, 'webhook', 'resend', id)).toMatchObject({
      code: 0,
      err: `1 message goes to ${endpoint.url} again, by its server or at its next start.\n`,
    })
    expect(readEndpoints(`${data}/webhooks.json`)).toMatchObject([
      { id, resendWished: expect.stringMatching(/^\d{4}-/) },
    ])
    expect(tried).toEqual({ code: 1, out: '', err: `mergeyard: ${endpoint.url} answered 500\n` })
  })
})

describe('what is wrong is said, and changes nothing', () => {
  test.each([
    ['token create', '--scope must be one of read, report, submit, admin, got ""'],
    ['token create --scope all', '--scope must be one of read, report, submit, admin, got "all"'],
    ['token create --scope read more', 'token create knows nothing to do with "more"'],
    ['token revoke', 'token revoke needs <id> behind it'],
    ['token revoke nobody', 'there is no "nobody"'],
    ['token list --scope read', 'token list has no option --scope'],
    ['token list --data=', '--data must be given or left out'],
    ['token', 'there is no command "token". --help lists them'],
    ['webhook add ftp://x', 'an address with http or https was expected, got "ftp://x"'],
    [
      'webhook add http://x --events merged',
      '--events must be a list of types, parted by commas, got "merged"',
    ],
    ['webhook list --loud', "Unknown option '--loud'"],
  ])('%s', async (line, fault) => {
    const data = temporaryFolder()

    const { code, out, err } = await mergeyard(data, ...line.split(' '))

    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(fault)
    expect(existsSync(`${data}/tokens.json`)).toBe(false)
  })
})
