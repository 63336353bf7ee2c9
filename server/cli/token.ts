/** `mergeyard token`: creates, lists and revokes tokens. A running server reads changes within a second. */

import {
  readRepoPattern,
  type TokenLimits,
  type Token,
  makeToken,
  readTokens,
  writeTokens,
} from '../auth/tokens.ts'
import {
  answering,
  keptExitCodes,
  keptList,
  findByIdOrName,
  shownIds,
  type Where,
  whereOptions,
  withStoreFaults,
} from './place.ts'
import { scopes } from '../contract/openapi.ts'
import { type OptionTable, type ParsedOptions, badUsage } from '../terminal/options.ts'
import { endAfter, oneOf, type FaultOf } from '../terminal/readers.ts'
import { sharedTokens } from '../postgres/shared-tokens.ts'
import { groupOf, ready } from '../terminal/command.ts'
import { widthOf } from '../terminal/output.ts'
import { columns } from '../terminal/text.ts'

// The options that limit a token to a part: some repositories, and some time.

const limitTable = {
  'repo <patterns>':
    'only these repositories, separated by commas: acme/shop, acme/*, gitlab.com/acme/** (default: all)',
  'expires <time>':
    'stop working then: 30d, 12h, a date like 2027-01-31, or a time like 2027-01-31T12:00Z (default: never)',
} as const satisfies OptionTable

type Limits = Pick<ParsedOptions<typeof limitTable>, 'readGiven'>

/** Throws `BadInput` for an option that is not valid. */
function limitsOf(parsed: Limits, now: Date): TokenLimits {
  const repos = parsed.readGiven('repo', readPatterns)
  const expiresAt = parsed.readGiven('expires', endAfter(now))
  return {
    ...(repos === null ? {} : { repos }),
    ...(expiresAt === null ? {} : { expiresAt }),
  }
}

function readPatterns(text: string, faultOf: FaultOf): string[] {
  const repos = text.split(',')
  if (repos.every((repo) => readRepoPattern(repo) !== null)) return repos
  throw faultOf('patterns like acme/shop, acme/* or gitlab.com/acme/**')
}

const tokenListOf = (parsed: Where, env: NodeJS.ProcessEnv) =>
  keptList(parsed, env, {
    file: (folder) => folder.tokens,
    read: readTokens,
    write: writeTokens,
    shared: sharedTokens,
  })

const create = answering(
  {
    command: 'token create',
    about: 'Create a token and print it. It is not shown again: only its hash is stored.',
    table: {
      'scope <value>': { value: scopes.join('|'), help: 'permissions of the token; required' },
      'name <text>': 'name of the token in the list (default: the scope)',
      ...limitTable,
      ...whereOptions,
    },
    more: keptExitCodes,
  },
  async (parsed, { env }) => {
    const expected = `one of ${scopes.join(', ')}`
    const scope = parsed.readGiven('scope', oneOf(scopes, expected))
    if (scope === null) throw badUsage('token create', 'no --scope', `--scope, ${expected}`)
    const list = tokenListOf(parsed, env)
    const now = new Date()
    const limits = limitsOf(parsed, now)
    const { token, secret } = makeToken(parsed.text('name') ?? scope, scope, now, limits)
    await list.add(token)
    const { id, name, repos, expiresAt } = token
    const limited = repos === undefined ? '' : ` for ${reposOf(token)}`
    const until = expiresAt === undefined ? '' : ` until ${expiresAt}`
    const note = `It is not shown again: ${list.place} stores only its hash.`
    return {
      document: { id, name, scope, ...limits, token: secret },
      text: `${secret}\n`,
      aside: `Token ${id} has the scope ${scope}${limited}${until}. ${note}\n`,
    }
  },
)

const listAll = answering(
  {
    command: 'token list',
    about: 'List the tokens with id, scope, repositories, expiry, time of creation and name.',
    table: whereOptions,
    more: keptExitCodes,
  },
  async (parsed, { stdout, env }) => {
    const tokens = await tokenListOf(parsed, env).read()
    const shown = tokens.map(({ sha256: _sha256, ...token }) => token)
    const width = widthOf(stdout)
    const ids = shownIds(tokens, width)
    // In a terminal the day is enough.
    const shownDay = (text: string): string =>
      width === null ? text : text.replace(/T\d\d:.*$/, '')
    const rows = tokens.map((token, index) => {
      const { id, name, scope, createdAt } = token
      const days = [expiryOf(token, new Date()), createdAt].map(shownDay)
      return [ids[index] ?? id, scope, reposOf(token), ...days, name]
    })
    const head = ['id', 'scope', 'repos', 'expires', 'since', 'name']
    return { document: shown, text: columns([head, ...rows]) }
  },
)

function reposOf({ repos }: Token): string {
  return repos?.join(',') ?? 'all'
}

function expiryOf({ expiresAt }: Token, now: Date): string {
  if (expiresAt === undefined) return 'never'
  return Date.parse(expiresAt) <= now.getTime() ? `expired ${expiresAt}` : expiresAt
}

const revoke = answering(
  {
    command: 'token revoke',
    about: 'Revoke a token. Name it by its id, the beginning of its id, or its name.',
    operands: ['<id>'],
    table: whereOptions,
    more: keptExitCodes,
  },
  async (parsed, { env }) => {
    const revoked: Pick<Token, 'id' | 'name' | 'scope'>[] = []
    await tokenListOf(parsed, env).change((tokens) => {
      const token = findByIdOrName('token revoke', parsed.operands, tokens, ({ name }) => name)
      const { id, name, scope } = token
      revoked.push({ id, name, scope })
      return tokens.filter((other) => other !== token)
    })
    const [document] = revoked
    return { document, text: `Revoked token ${document?.id} with the scope ${document?.scope}.\n` }
  },
)

export const main = withStoreFaults(
  groupOf({
    name: 'token',
    about:
      'Manage the API tokens of a server, in its data folder or its store. It may be running or stopped.',
    commands: {
      create: ready('create a token', create),
      list: ready('list the tokens', listAll),
      revoke: ready('revoke a token', revoke),
    },
  }),
)
