import { basename } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { pino } from 'pino'
import { matrix } from '../../engine/testing/matrix.ts'
import { Client, main, Contract } from '../testing/client.ts'
import { withPostgres } from './testing/with-postgres.ts'
import { start } from '../testing/test-server.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import { receiver } from '../testing/receiver.ts'
import { writeEndpoints } from '../webhooks/message.ts'
import { readOutbox } from '../webhooks/outbox.ts'
import { serverDefaults } from '../server-defaults.ts'
import { dataFolder } from '../store/data-folder.ts'
import { startSharedServer, type SharedServer } from '../shared-server.ts'
import { notesFile, notesFilesIn, notesIn } from '../files/notes.ts'
import { connect } from './connect.ts'
import { copyIn, copyOut } from './copy.ts'

const token = 'admin-token-of-a-test'

withPostgres((postgres) => {
  async function shared(store: string, given: string | null = token): Promise<SharedServer> {
    const logger = pino({ enabled: false })
    const server = await startSharedServer(
      { ...serverDefaults, port: 0, token: given, store },
      { logger, onFirstToken: (secret) => secrets.push(secret) },
    )
    onTestFinished(() => server.stop())
    return server
  }
  const secrets: string[] = []

  const clientOf = ({ url }: { readonly url: string }, secret = token): Client =>
    new Client(url, secret, new Contract())

  async function runOf(client: Client): Promise<string> {
    return (await client.runs())[0]?.testRunId ?? ''
  }

  test('given a queue in a folder, a shared server goes on with it, and a folder again after that', async () => {
    const data = temporaryFolder()
    const before = await start(data)
    await before.client.ok('createQueue', { ...main, concurrency: 1 })
    for (const number of [1, 2, 3])
      await before.client.ok('submitPullRequest', { ...main, pr: { number } })
    const run = await runOf(before.client)
    const queue = await before.client.ok('getQueue', main)
    await before.stop()

    const store = await postgres.database()
    expect(await copyIn(dataFolder(data), store)).toEqual({ queues: 1, sequence: 4 })
    const server = await shared(store)
    const client = clientOf(server)
    expect(await client.ok('getQueue', main)).toEqual(queue)
    // A run that the folder's server handed out is reported to the shared one.
    await client.ok('reportTestRun', { testRunId: run, outcome: 'passed' })
    const later = await runOf(client)
    const read = { ...main, pr: { number: 1 } }
    expect(await client.ok('getSubmittedPullRequest', read)).toMatchObject({ state: 'MERGED' })
    await server.stop()

    const back = temporaryFolder()
    expect(await copyOut(store, dataFolder(`${back}/data`))).toMatchObject({ queues: 1 })
    const after = await start(`${back}/data`)
    await after.client.ok('reportTestRun', { testRunId: later, outcome: 'passed' })
    const second = { ...main, pr: { number: 2 } }
    expect(await after.client.ok('getSubmittedPullRequest', second)).toMatchObject({
      state: 'MERGED',
    })
    await after.stop()
  })

  test('waiting messages move with the webhooks, and none is lost', matrix, async () => {
    const accepted: string[] = []
    let isDown = true
    const { endpoint, untilReceived } = await receiver((response, { id, type, number }) => {
      response.writeHead(isDown ? 500 : 204).end()
      if (!isDown) accepted.push(`${type} ${number ?? ''} ${id.split('_').at(1) ?? ''}`)
    })
    const data = temporaryFolder()
    await writeEndpoints(dataFolder(data).webhooks, [endpoint])
    const before = await start(data)
    await before.client.ok('createQueue', { ...main, state: 'PAUSED' })
    await before.client.ok('submitPullRequest', { ...main, pr: { number: 1 } })
    await untilReceived(1)
    await before.stop()
    const { origin } = readOutbox(dataFolder(data).outbox)
    const submitted = (number: number): string => `pull_request.submitted ${number} ${origin}`

    const store = await postgres.database()
    await copyIn(dataFolder(data), store)
    const server = await shared(store)
    isDown = false
    await expect.poll(() => accepted).toEqual([`queue.created  ${origin}`, submitted(1)])
    const client = clientOf(server)
    await client.ok('submitPullRequest', { ...main, pr: { number: 2 } })
    await expect.poll(() => accepted).toHaveLength(3)
    isDown = true
    await client.ok('submitPullRequest', { ...main, pr: { number: 3 } })
    await server.stop()

    const back = `${temporaryFolder()}/data`
    await copyOut(store, dataFolder(back))
    isDown = false
    const after = await start(back)
    onTestFinished(() => after.stop())
    await expect.poll(() => accepted).toHaveLength(4)
    expect(accepted.slice(2)).toEqual([submitted(2), submitted(3)])
  })

  test('given a store or a folder that is not empty, nothing is copied', matrix, async () => {
    const data = temporaryFolder()
    const server = await start(data)
    await server.client.ok('createQueue', main)
    await server.stop()
    const store = await postgres.database()
    await copyIn(dataFolder(data), store)
    await expect(copyIn(dataFolder(data), store)).rejects.toThrow('is not empty')
    // Another server appends an entry while the state is written.
    const late = await postgres.database()
    const pool = await connect(late)
    onTestFinished(() => pool.end())
    await pool.query(
      `create function mergeyard.append() returns trigger language plpgsql as
         $$ begin update mergeyard.head set sequence = 1; return null; end $$;
       create trigger meanwhile after insert on mergeyard.states execute function mergeyard.append()`,
    )
    await expect(copyIn(dataFolder(data), late)).rejects.toThrow('is not empty')
    await expect(copyOut(store, dataFolder(data))).rejects.toThrow('is not empty')
  })

  test(
    'given a copy that ended in the middle, no server starts on what is there',
    matrix,
    async () => {
      const store = await postgres.database()
      const server = await shared(store)
      await clientOf(server).ok('createQueue', main)
      await server.stop()
      const pool = await connect(store)
      await pool.query(`insert into mergeyard.settings (name, content) values ('tokens', '{}')`)
      await pool.end()
      const data = `${temporaryFolder()}/data`
      await expect(copyOut(store, dataFolder(data))).rejects.toThrow('not a list of tokens')
      await expect(start(data)).rejects.toThrow('holds a part of a backup or of a copy')
    },
  )

  test('given a server runs on the folder, nothing is copied', matrix, async () => {
    const server = await start(temporaryFolder())
    onTestFinished(() => server.stop())
    const store = await postgres.database()
    await expect(copyIn(dataFolder(server.data), store)).rejects.toThrow(/in use|uses/)
  })

  test('of two shared servers one prints the first token, and both take it', matrix, async () => {
    const store = await postgres.database()
    const [one, other] = await Promise.all([shared(store, null), shared(store, null)])
    expect(secrets).toHaveLength(1)
    const [secret = ''] = secrets
    await clientOf(one, secret).ok('createQueue', main)
    await expect
      .poll(async () => (await clientOf(other, secret).call('getQueue', main)).status)
      .toBe(200)
  })
})

withPostgres((postgres) => {
  //
  test('what is known of a repository goes along, in both directions', async () => {
    const data = temporaryFolder()
    const before = await start(data)
    await before.client.ok('createQueue', main)
    await before.stop()
    const { registry } = before.manager
    const [id = ''] = Array.from(registry.queues, ({ ids }) => ids.start)
    await notesIn(notesFile(data, id, 'branches')).write('left behind')
    await notesIn(notesFile(data, id, 'gitea')).write('seen')
    const store = await postgres.database()
    await copyIn(dataFolder(data), store)
    const back = `${temporaryFolder()}/data`
    await copyOut(store, dataFolder(back))
    const read = notesFilesIn(back).map((path) => [basename(path), notesIn(path).read()])
    expect(read).toEqual([
      ['branches.json', 'left behind'],
      ['gitea.json', 'seen'],
    ])
  })
})
