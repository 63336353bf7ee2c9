/** Credentials for git: a header in its environment, so in no argument, no address of an error and no file. */

import { withoutCredentials } from '../terminal/text.ts'

type Env = Readonly<Record<string, string>>

export function basicAccess(url: string, user: string, token: string): Record<string, string> {
  const basic = Buffer.from(`${user}:${token}`).toString('base64')
  return {
    GIT_CONFIG_COUNT: '1',
    // Only for this host: git follows redirects.
    GIT_CONFIG_KEY_0: `http.${new URL(url).origin}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${basic}`,
  }
}

/** Arguments without the password of an address: the list of processes shows them to all users of the machine. */
export function accessIn(
  args: readonly string[],
  env: Env,
): { readonly args: readonly string[]; readonly env: Env } {
  const address = args.find((arg) => /^https?:\/\/[^/@\s]*:[^/@\s]+@/i.test(arg))
  if (address === undefined || !URL.canParse(address)) return { args, env }
  const { username, password } = new URL(address)
  const access = basicAccess(address, decoded(username), decoded(password))
  return {
    args: args.map((arg) => (arg === address ? withoutCredentials(arg) : arg)),
    env: { ...access, ...env },
  }
}

/** As it is, if its signs of percent mean nothing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
