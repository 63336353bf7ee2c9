/** What the API calls a repository, if nobody says it: it follows from the address. */

import { basename, dirname, resolve } from 'node:path'
import type { Repository } from '../identity/queue-ref.ts'

const remote = /^(?:[a-z+]+:\/\/)?(?:[^@/\s]+@)?([^/:\s]+)(?::\d+)?[:/](.+?)\/?$/i

/** True for a path on this machine, and for a `file:` address. */
export function isLocal(url: string): boolean {
  return url.startsWith('file://') || !/^[a-z+]+:\/\/|^[^/\\]+@[^/]+:/i.test(url)
}

/** `https://github.com/acme/shop.git` is `github.com/acme/shop`; a path is `local/<folder>/<name>`. */
export function repositoryIn(url: string): Repository {
  if (!isLocal(url)) {
    const [, host = '', path = ''] = remote.exec(url) ?? []
    const parts = path.split('/').filter((part) => part !== '')
    const name = bare(parts.pop() ?? 'repository')
    return { host: host.toLowerCase(), owner: parts.join('/') || 'local', name }
  }
  const path = resolve(url.replace(/^file:\/\//, ''))
  const folder = basename(path) === '.git' ? dirname(path) : path
  return {
    host: 'local',
    owner: plain(basename(dirname(folder))),
    name: bare(plain(basename(folder))),
  }
}

const bare = (name: string): string => name.replace(/\.git$/, '')
const plain = (name: string): string => name.replaceAll(/[^\w.-]/g, '-') || 'local'
