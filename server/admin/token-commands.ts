/** Issuing, listing and revoking tokens. A running server follows within a second. */

import { isScope, scopes } from '../auth/scopes.ts'
import { makeToken, readTokens, writeTokens } from '../auth/tokens.ts'
import { BadCommand, meant, type Command, type Given } from './command.ts'
import { exclusively } from './exclusively.ts'
import { table } from './table.ts'

export const tokenCommands: readonly Command[] = [
  {
    name: 'token create',
    options: { scope: scopes.join('|'), name: 'text' },
    meaning: 'Issues a token and shows it, this once',
    run: create,
  },
  { name: 'token list', meaning: 'Lists the tokens, by id, name and scope', run: list },
  {
    name: 'token revoke',
    subject: 'id',
    meaning: 'Ends a token, given by its id, the beginning of it, or its name',
    run: revoke,
  },
]

async function create({ folder, option, json, say, explain }: Given): Promise<void> {
  const scope = option('scope')
  if (!isScope(scope)) {
    throw new BadCommand(`--scope must be one of ${scopes.join(', ')}, got "${scope ?? ''}"`)
  }
  const { token, secret } = makeToken(option('name') ?? scope, scope, new Date())
  await exclusively(folder, async () => {
    await writeTokens(folder.tokens, [...readTokens(folder.tokens), token])
  })
  const { id, name } = token
  if (json) say(`${JSON.stringify({ id, name, scope, token: secret })}\n`)
  else {
    say(`${secret}\n`)
    explain(
      `That is token ${id} of scope ${scope}, shown this once: ${folder.tokens} has a hash.\n`,
    )
  }
}

function list({ folder, json, say }: Given): void {
  const tokens = readTokens(folder.tokens)
  if (json) say(`${JSON.stringify(tokens.map(({ sha256: _sha256, ...token }) => token))}\n`)
  else {
    const rows = tokens.map(({ id, name, scope, createdAt }) => [id, scope, createdAt, name])
    say(table(['id', 'scope', 'since', 'name'], rows))
  }
}

async function revoke({ folder, subject, explain }: Given): Promise<void> {
  await exclusively(folder, async () => {
    const tokens = readTokens(folder.tokens)
    const token = meant(tokens, subject, ({ name }) => name)
    await writeTokens(
      folder.tokens,
      tokens.filter((other) => other !== token),
    )
    explain(`Token ${token.id} of scope ${token.scope} is revoked.\n`)
  })
}
