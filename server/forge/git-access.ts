/** Credentials for git: a header in its environment, so in no argument, no address and no file. */

export function basicAccess(url: string, user: string, token: string): Record<string, string> {
  const basic = Buffer.from(`${user}:${token}`).toString('base64')
  return {
    GIT_CONFIG_COUNT: '1',
    // Only for this host: git follows redirects.
    GIT_CONFIG_KEY_0: `http.${new URL(url).origin}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${basic}`,
  }
}
