/** The headers of the pages: no code that is not ours, and no frame around them. */

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
]

const common = {
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
} as const

export const livePageHeaders = {
  ...common,
  'Content-Security-Policy': [...policy, "require-trusted-types-for 'script'"].join('; '),
} as const

/** Chromium makes no worker under `require-trusted-types-for`, and the playground has one. */
export const playgroundHeaders = {
  ...common,
  'Content-Security-Policy': policy.join('; '),
} as const
