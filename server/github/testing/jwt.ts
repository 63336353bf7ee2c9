/** What GitHub says about the token that an App makes for itself. */

const longestSeconds = 600

/** In the words of GitHub; null if the token is fine. The signature is not checked. */
export function faultOfJwt(token: string, now: number): string | null {
  const [, payload = '', signature = ''] = token.split('.')
  if (signature === '') return 'A JSON web token could not be decoded'
  const { iat = NaN, exp = NaN }: { readonly iat?: number; readonly exp?: number } = JSON.parse(
    Buffer.from(payload, 'base64url').toString(),
  )
  const at = Math.floor(now / 1_000)
  if (exp > at + longestSeconds) {
    return "'Expiration time' claim ('exp') is too far in the future"
  }
  if (!(exp > at))
    return "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires"
  return iat <= at
    ? null
    : "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued"
}
