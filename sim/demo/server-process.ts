/** The server that the demo plays against, as a process of its own; nothing of it is imported. */

import { spawn, execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const server = fileURLToPath(new URL('../../server/main.js', import.meta.url))
const administrator = fileURLToPath(new URL('../../server/cli.js', import.meta.url))
const listens = /listens on (http:\/\/\S+),/

export type ServerProcess = {
  readonly url: string
  /** Asks it to finish, and settles with its exit code when it has. */
  readonly stop: () => Promise<number>
  readonly ended: Promise<number>
}

export type ServerWishes = {
  readonly data: string
  readonly speed: number
  readonly token: string
  readonly rest: readonly string[]
}

/** Starts it; its log goes into a file of the data folder. */
export async function startServer({
  data,
  speed,
  token,
  rest,
}: ServerWishes): Promise<ServerProcess> {
  const args = [server, '--data', data, '--speed', String(speed), ...rest]
  const env = { ...process.env, MERGEYARD_TOKEN: token, MERGEYARD_DEMO: '' }
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [said, log] = [{ text: '' }, { text: '' }]
  child.stderr.on('data', (chunk: Buffer) => (log.text += chunk.toString()))
  const ended = new Promise<number>((resolve) => {
    child.once('exit', (code) => resolve(code ?? 1))
  })
  // A demo that ends leaves no server behind.
  process.once('exit', () => void child.kill())
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(log.text.trim())))
    child.stdout.on('data', (chunk: Buffer) => {
      said.text += chunk.toString()
      const found = listens.exec(said.text)?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  child.stderr.removeAllListeners('data')
  child.stderr.pipe(createWriteStream(join(data, 'server.log'), { mode: 0o600 }))
  const stop = (): Promise<number> => {
    child.kill('SIGTERM')
    return ended
  }
  return { url, stop, ended }
}

/** The demo's own webhook, kept with the project's own command. */
export class Webhook {
  readonly secret: string
  readonly #data: string
  readonly #url: string

  private constructor(data: string, url: string, secret: string) {
    this.#data = data
    this.#url = url
    this.secret = secret
  }

  static async add(data: string, url: string): Promise<Webhook> {
    return new Webhook(data, url, (await administrate('add', url, '--data', data)).trim())
  }

  /** Settles once the running server has heard of it. */
  async untilKnown(): Promise<void> {
    for (;;) {
      const listed: readonly Listed[] = JSON.parse(
        await administrate('list', '--json', '--data', this.#data),
      )
      if (listed.some(({ url, state }) => url === this.#url && state !== 'new')) return
    }
  }

  async remove(): Promise<void> {
    await administrate('remove', this.#url, '--data', this.#data)
  }
}

type Listed = { readonly url: string; readonly state: string }

async function administrate(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    administrator,
    'webhook',
    ...args,
  ])
  return stdout
}
