/** A host with https for tests. Its key is for tests only, and its certificates are signed by itself. */

import { createServer } from 'node:https'
import type { RequestListener } from 'node:http'
import { listening } from './listening.ts'

const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg0e+iqntzvl+3sAkf
CqYylQ4/oDfNCXhKVstRowSqYsihRANCAATQKPQX/DjUkqbUiVJroNpgxsWqN33z
idzkTBcQAS5Hf+piGp1EJx9N8olPGSaON9OrNlZ6NmiG26GfG0rI3Z7/
-----END PRIVATE KEY-----`

/** Both are for `localhost`. The first holds from 2020 to 2119. */
export const certificates = {
  valid: `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUGglsbOupsrOxHc9ahqxkUMudv1kwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMTkxMjA4
MDAwMDAwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATQKPQX/DjUkqbUiVJroNpgxsWqN33zidzkTBcQAS5Hf+piGp1EJx9N
8olPGSaON9OrNlZ6NmiG26GfG0rI3Z7/o2kwZzAdBgNVHQ4EFgQUjsjBp3Tn7S2w
hbZ9EZwbI/5+qSowHwYDVR0jBBgwFoAUjsjBp3Tn7S2whbZ9EZwbI/5+qSowDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SAAwRQIhAKfq6GNyFhqnZfuJ2D+ojPNc13ZGrXmt5fezNQ5gTIMBAiBKJ/Cpo5Z2
F190b9RgxN4EO64/5TQj/XyHX/BtCBuEtQ==
-----END CERTIFICATE-----`,
  expired: `-----BEGIN CERTIFICATE-----
MIIBkzCCATmgAwIBAgIUYcRiYkj0CNW2zy5oYkVMUHMvOcIwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MB4XDTIwMDEwMTAwMDAwMFoXDTIwMDEwMjAw
MDAwMFowFDESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAE0Cj0F/w41JKm1IlSa6DaYMbFqjd984nc5EwXEAEuR3/qYhqdRCcfTfKJ
TxkmjjfTqzZWejZohtuhnxtKyN2e/6NpMGcwHQYDVR0OBBYEFI7Iwad05+0tsIW2
fRGcGyP+fqkqMB8GA1UdIwQYMBaAFI7Iwad05+0tsIW2fRGcGyP+fqkqMA8GA1Ud
EwEB/wQFMAMBAf8wFAYDVR0RBA0wC4IJbG9jYWxob3N0MAoGCCqGSM49BAMCA0gA
MEUCIQD7ZVeWJ5pAdQYpTCoEsIV6Wav2Xcbh9/KqHMx0FpJe8gIgao8lYhRsbIFE
6CoEcSN2NZg5g8yCY3bK707wP8u/0+o=
-----END CERTIFICATE-----`,
} as const

/** Listens until the test ends. Returns its port. */
export function listeningWithTls(
  certificate: keyof typeof certificates,
  answer: RequestListener = (_request, response) => void response.end(),
): Promise<number> {
  return listening(createServer({ key, cert: certificates[certificate] }, answer))
}
