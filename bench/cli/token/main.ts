/** `mergeyard token`: creates, lists and revokes tokens. A running server reads changes within a second. */

import { type Token, makeToken, readTokens, writeTokens } from '../../../server/auth/tokens.ts'
import { isScope, scopes } from '../../../server/contract/scopes.ts'
import { changeSharedTokens, readSharedTokens } from '../../../server/postgres/shared-tokens.ts'
import { shownUrl } from '../../../server/postgres/store-fault.ts'
import type { DataFolder } from '../../../server/store/data-folder.ts'
import {
  type Main,
  commandOf,
  groupOf,
  withPlainErrors,
  exitCodes,
} from '../../../terminal/command.ts'
import { writeAll } from '../../../terminal/output.ts'
import { badUsage } from '../../../terminal/options.ts'
import { columns } from '../../../terminal/text.ts'
import { folderOf, jsonOption } from '../admin/data-folder.ts'
import { findByIdOrName } from '../admin/find.ts'
import { type Where, storeIn, whereOptions, withStore } from '../admin/where.ts'
import { withFolderLock } from '../admin/with-lock.ts'
import { withStoreFaults } from '../admin/with-store-faults.ts'
import { limitTable, limitsOf } from './limits.ts'

// Where the tokens of a server are: in its data folder, or in the PostgreSQL that servers share.

type Edit = (tokens: readonly Token[]) => readonly Token[]

type TokenList = {
  /** Says where it is, without a password. */
  readonly place: string
  readonly read: () => Promise<readonly Token[]>
  /** Changes it while nobody else does. */
  readonly change: (edit: Edit) => Promise<void>
}

/** Throws `BadInput` for contradicting options. */
function tokenListOf(parsed: Where, env: NodeJS.ProcessEnv): TokenList {
  const store = storeIn(parsed)
  return store === null ? listInFolder(folderOf(parsed, env)) : listInStore(store)
}

function listInFolder(folder: DataFolder): TokenList {
  const read = (): readonly Token[] => readTokens(folder.tokens)
  return {
    place: folder.tokens,
    read: () => Promise.resolve(read()),
    change: (edit) => withFolderLock(folder, () => writeTokens(folder.tokens, edit(read()))),
  }
}

function listInStore(store: string): TokenList {
  return {
    get place() {
      return shownUrl(store)
    },
    read: () => withStore(store, readSharedTokens),
    change: (edit) => withStore(store, (pool) => changeSharedTokens(pool, edit)),
  }
}

const create: Main = commandOf(
  {
    command: 'token create',
    npm: 'npm run mergeyard -- token create',
    about: 'Create a token and print it. It is not shown again: only its hash is stored.',
    table: {
      scope: {
        kind: 'value',
        value: scopes.join('|'),
        help: 'permissions of the token; required',
      },
      name: {
        kind: 'value',
        value: 'text',
        help: 'name of the token in the list (default: the scope)',
      },
      ...limitTable,
      ...whereOptions,
      ...jsonOption,
    },
  },
  async (parsed, { stdout, stderr, env }) => {
    const scope = parsed.text('scope')
    const expected = `one of ${scopes.join(', ')}`
    if (scope === null) throw badUsage('token create', 'no --scope', `--scope, ${expected}`)
    if (!isScope(scope)) throw parsed.fault('scope', expected)
    const list = tokenListOf(parsed, env)
    const now = new Date()
    const limits = limitsOf(parsed, now)
    const { token, secret } = makeToken(parsed.text('name') ?? scope, scope, now, limits)
    await list.change((tokens) => [...tokens, token])
    const { id, name } = token
    const document = { id, name, scope, ...limits, token: secret }
    await writeAll(stdout, [parsed.flag('json') ? `${JSON.stringify(document)}\n` : `${secret}\n`])
    if (!parsed.flag('json')) {
      const note = `It is not shown again: ${list.place} stores only its hash.`
      const { repos, expiresAt } = token
      const limited = repos === undefined ? '' : ` for ${reposOf(token)}`
      const until = expiresAt === undefined ? '' : ` until ${expiresAt}`
      await writeAll(stderr, [`Token ${id} has the scope ${scope}${limited}${until}. ${note}\n`])
    }
    return exitCodes.success
  },
)

const listAll: Main = commandOf(
  {
    command: 'token list',
    npm: 'npm run mergeyard -- token list',
    about: 'List the tokens with id, scope, repositories, expiry, time of creation and name.',
    table: { ...whereOptions, ...jsonOption },
  },
  async (parsed, { stdout, env }) => {
    const tokens = await tokenListOf(parsed, env).read()
    const shown = tokens.map(({ sha256: _sha256, ...token }) => token)
    const rows = tokens.map((token) => {
      const { id, name, scope, createdAt } = token
      return [id, scope, reposOf(token), expiryOf(token, new Date()), createdAt, name]
    })
    const table = columns([['id', 'scope', 'repos', 'expires', 'since', 'name'], ...rows])
    await writeAll(stdout, [parsed.flag('json') ? `${JSON.stringify(shown)}\n` : table])
    return exitCodes.success
  },
)

function reposOf({ repos }: Token): string {
  return repos?.join(',') ?? 'all'
}

function expiryOf({ expiresAt }: Token, now: Date): string {
  if (expiresAt === undefined) return 'never'
  return Date.parse(expiresAt) <= now.getTime() ? `expired ${expiresAt}` : expiresAt
}

const revoke: Main = commandOf(
  {
    command: 'token revoke',
    npm: 'npm run mergeyard -- token revoke',
    about: 'Revoke a token. Name it by its id, the beginning of its id, or its name.',
    operands: ['<id>'],
    table: whereOptions,
  },
  async (parsed, { stderr, env }) => {
    const [text = ''] = parsed.operands
    const revoked: Token[] = []
    await tokenListOf(parsed, env).change((tokens) => {
      const token = findByIdOrName(
        tokens,
        text,
        ({ name }) => name,
        (expected) => badUsage('token revoke', `"${text}"`, expected),
      )
      revoked.push(token)
      return tokens.filter((other) => other !== token)
    })
    for (const { id, scope } of revoked)
      await writeAll(stderr, [`Revoked token ${id} with the scope ${scope}.\n`])
    return exitCodes.success
  },
)

export const main = withPlainErrors(
  withStoreFaults(
    groupOf({
      name: 'token',
      about:
        'Manage the API tokens of a server, in its data folder or its store. It may be running or stopped.',
      commands: {
        create: { summary: 'create a token', load: () => Promise.resolve({ main: create }) },
        list: { summary: 'list the tokens', load: () => Promise.resolve({ main: listAll }) },
        revoke: { summary: 'revoke a token', load: () => Promise.resolve({ main: revoke }) },
      },
    }),
  ),
)
