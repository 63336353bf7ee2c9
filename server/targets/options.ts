/** Where the impacted targets of a pull request come from, as `mergeyard.json` says it. */

export type TargetsOptions =
  /** The packages of an npm, pnpm or yarn workspace. */
  | { readonly workspaces: true }
  /** Patterns of paths for each target. */
  | { readonly paths: Readonly<Record<string, readonly string[]>> }
  /** A command for `/bin/sh`, run in a work tree of the head. It prints the names. */
  | { readonly command: string }
