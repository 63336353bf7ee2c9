/**
 * Ways of a test run to leave something behind for later ones, as commands for a shell. `$slots`, `$data`,
 * `$mirror` and `$canary` are the folders of the server and a folder that has nothing to do with it.
 */

import { join } from 'node:path'

export type Way = {
  readonly name: string
  readonly script: string
  /** Without a namespace it changes this outside of its slot: the same user may. Never a later verdict. */
  readonly reaches?: 'mirror' | 'data' | 'neighbour' | 'canary' | 'logs'
  /** After it the work tree is another one or none, so it is the last of a run. */
  readonly isLast?: true
}

const hide = (flag: string): string => `echo exit 0 > test.sh; git update-index --${flag} test.sh`
const attributes = '* filter=x -text'
/** Run by the server, which is in no run: a program of the run itself may write where its user may. */
const mark = 'test -n "${MERGEYARD_RUN-}" || touch $canary/ran'
const smudge = `{ ${mark}; }; cat`

const ofGit: readonly Way[] = [
  {
    name: 'replaces an object',
    script:
      'git replace $(git rev-parse HEAD:test.sh) $(echo "exit 0" | git hash-object -w --stdin)',
  },
  { name: 'replaces a commit', script: 'git replace -f HEAD $(git commit-tree HEAD^{tree} -m x)' },
  { name: 'grafts', script: 'git rev-parse HEAD > .git/info/grafts' },
  { name: 'is shallow', script: 'git rev-parse HEAD > .git/shallow' },
  {
    name: 'sets a filter',
    script: `git config filter.x.smudge '${smudge}'; git config filter.x.clean '${smudge}'; echo "${attributes}" > .git/info/attributes`,
  },
  {
    name: 'sets a filter for the user',
    script: `git config --global filter.x.smudge '${smudge}'; mkdir -p "$HOME/.config/git"; echo "${attributes}" > "$HOME/.config/git/attributes"`,
  },
  { name: 'hides an edit with skip-worktree', script: hide('skip-worktree') },
  { name: 'hides an edit with assume-unchanged', script: hide('assume-unchanged') },
  { name: 'hides a removal', script: 'git update-index --skip-worktree a.txt; rm a.txt' },
  { name: 'adds to the index', script: 'echo x > new.txt; git add -f new.txt' },
  { name: 'removes from the index', script: 'git rm -q --cached a.txt' },
  {
    name: 'leaves a merge conflict',
    script: 'git update-index --unresolve a.txt; touch .git/MERGE_HEAD',
  },
  { name: 'splits the index', script: 'git update-index --split-index' },
  { name: 'breaks the index', script: 'echo broken > .git/index' },
  { name: 'leaves locks', script: 'touch .git/index.lock .git/HEAD.lock .git/config.lock' },
  { name: 'moves the work tree', script: 'git config core.worktree "$canary"', isLast: true },
  {
    name: 'has a configuration of the work tree',
    script:
      'git config extensions.worktreeConfig true; git config --worktree core.worktree "$canary"',
    isLast: true,
  },
  {
    name: 'includes a configuration',
    script: 'git config include.path "$HOME/more"; git config -f "$HOME/more" core.bare true',
  },
  { name: 'narrows the checkout', script: 'git sparse-checkout set below' },
  {
    name: 'ignores everything',
    script: 'echo "*" > .git/info/exclude; echo "*" > .gitignore; touch left.txt',
  },
  { name: 'ignores permissions', script: 'git config core.fileMode false; chmod +x test.sh a.txt' },
  {
    name: 'watches files',
    script: `git config core.fsmonitor '${mark};'; git config core.untrackedCache true`,
  },
  {
    name: 'sets hooks',
    script: `for each in post-checkout post-index-change reference-transaction; do echo '${mark}' > .git/hooks/$each; done; chmod +x .git/hooks/*; git config core.hooksPath .git/hooks`,
  },
  { name: 'borrows objects', script: 'echo "$HOME/objects" >> .git/objects/info/alternates' },
  {
    name: 'moves refs',
    script:
      'git update-ref refs/heads/main HEAD; git tag -f v1 HEAD; git branch left; git symbolic-ref HEAD refs/heads/left',
  },
  { name: 'stashes', script: 'echo x > a.txt; git -c user.name=x -c user.email=x stash -q' },
  { name: 'adds a work tree', script: 'git worktree add -q "$HOME/other"' },
  {
    name: 'has a submodule',
    script: `git config submodule.x.update '!${mark}'; printf '[submodule "x"]\\n path = below\\n url = ./x\\n' > .gitmodules`,
  },
  {
    name: 'makes a repository below',
    script: 'git init -q below; git init -q nested; touch nested/left.txt',
  },
  { name: 'empties .git', script: 'rm -rf .git/*' },
  {
    name: 'makes a file of .git',
    script: 'rm -rf .git; echo "gitdir: $canary" > .git',
    isLast: true,
  },
  { name: 'makes a link of .git', script: 'rm -rf .git; ln -s "$canary" .git', isLast: true },
  { name: 'makes a FIFO of .git', script: 'rm -rf .git; mkfifo .git' },
  { name: 'deletes .git', script: 'rm -rf .git' },
]

const ofFiles: readonly Way[] = [
  { name: 'edits a test', script: 'echo exit 0 > test.sh' },
  {
    name: 'keeps size and time of an edit',
    script: 'touch -r test.sh "$HOME/t"; echo "exit 0" > test.sh; touch -r "$HOME/t" test.sh',
  },
  {
    name: 'replaces a file by its copy',
    script: 'cp -p test.sh t; echo "exit 0" > t; touch -r test.sh t; mv t test.sh',
  },
  { name: 'links a test twice', script: 'ln test.sh "$HOME/other"; echo "exit 0" > "$HOME/other"' },
  { name: 'makes a link of a test', script: 'echo exit 0 > "$HOME/t"; ln -sf "$HOME/t" test.sh' },
  { name: 'makes a link of a folder', script: 'rm -rf below; ln -s "$canary" below', isLast: true },
  {
    name: 'makes a folder of a file',
    script: 'rm a.txt; mkdir -p a.txt/below; touch a.txt/below/x',
  },
  { name: 'makes a file of a folder', script: 'rm -rf below; touch below' },
  { name: 'changes permissions', script: 'chmod 600 a.txt; chmod 700 below; chmod +x below/b.txt' },
  { name: 'sets setuid and sticky bits', script: 'chmod u+s,g+s a.txt; chmod +t,g+s below' },
  {
    name: 'leaves attributes',
    script: 'echo "* eol=crlf" > below/.gitattributes; echo "* ident" > .gitattributes',
  },
  {
    name: 'leaves names with other cases',
    script: 'echo x > A.TXT; mkdir -p Below; touch Below/b.txt',
  },
  {
    name: 'leaves names with newlines',
    script: 'touch "$(printf "a\\nb")" "$(printf "\\001\\033[2J")"; mkdir "$(printf "d\\n")"',
  },
  {
    name: 'leaves names that are not UTF-8',
    script:
      'touch "$(printf "\\303\\050\\377")"; mkdir "$(printf "\\377")"; touch "$(printf "\\377")/x"',
  },
  {
    name: 'leaves composed and decomposed names',
    script: 'touch "$(printf "\\303\\251")" "$(printf "e\\314\\201")"',
  },
  {
    name: 'leaves names like options',
    script: 'touch -- -rf --help "-e exit 0"; mkdir -- --force',
  },
  {
    name: 'leaves a deep folder',
    script:
      'i=0; while test $i -lt 60; do mkdir long-name-of-a-folder-that-is-deep-$i && cd long-name-of-a-folder-that-is-deep-$i || exit; i=$((i+1)); done; touch x',
  },
  {
    name: 'leaves many files',
    script: 'mkdir many; cd many; i=0; while test $i -lt 300; do : > $i; i=$((i+1)); done',
  },
  { name: 'leaves a FIFO', script: 'mkfifo fifo below/fifo; rm below/c.txt; mkfifo below/c.txt' },
  {
    name: 'leaves a socket',
    script:
      "node -e \"require('net').createServer().listen('socket', () => process.kill(process.pid, 9))\"",
  },
  { name: 'leaves links in a circle', script: 'ln -s . loop; ln -s two one; ln -s one two' },
  {
    name: 'leaves read-only folders',
    script:
      'mkdir -p ro/below "$HOME/go/pkg"; touch ro/below/x "$HOME/go/pkg/x"; chmod -R a-w ro "$HOME/go"; chmod 0 ro/below',
  },
  {
    name: 'leaves files of another owner',
    script: 'mkdir owned; touch owned/x; chown -R 65534 owned a.txt',
  },
  {
    name: 'leaves a time in the future',
    script: 'echo exit 0 > test.sh; touch -d 2038-01-01 test.sh . below',
  },
  {
    name: 'leaves settings at home',
    script:
      'echo "prefix=/nowhere" > "$HOME/.npmrc"; echo "exit 0" > "$HOME/.profile"; mkdir -p "$HOME/.ssh" "$HOME/.config"; git config --global core.hooksPath "$HOME"',
  },
  {
    name: 'leaves temporary files',
    script: 'mkdir "$TMPDIR/left"; touch "$TMPDIR/x" "$HOME/tmp/.hidden"; chmod 0 "$TMPDIR"',
  },
  {
    name: 'makes a link of the home',
    script: 'rm -rf "$HOME/tmp"; ln -s "$canary" "$HOME/tmp"',
    isLast: true,
  },
  { name: 'makes kept files others', script: 'echo "exit 0" > node_modules/check.sh' },
  {
    name: 'keeps size and time of a kept file',
    script:
      'touch -r node_modules/check.sh "$HOME/k"; echo "exit 0" > node_modules/check.sh; touch -r "$HOME/k" node_modules/check.sh',
  },
  {
    name: 'links a kept file',
    script: 'ln node_modules/check.sh "$HOME/kept"; echo "exit 0" > "$HOME/kept"',
  },
  {
    name: 'adds to kept files',
    script:
      'mkdir -p node_modules/.bin; echo "exit 0" > node_modules/.bin/check; touch node_modules/x',
  },
  {
    name: 'makes a link of the kept folder',
    script: 'mv node_modules "$HOME/moved"; ln -s "$HOME/moved" node_modules',
  },
  {
    name: 'makes a kept folder elsewhere',
    script: 'mkdir -p below/node_modules; touch below/node_modules/x',
  },
  {
    name: 'links the tree elsewhere',
    script: 'cd ..; rm -rf tree; ln -s "$canary" tree',
    isLast: true,
  },
  { name: 'removes its slot', script: 'cd ..; rm -rf tree home', isLast: true },
]

const later = 'sleep 1000; echo exit 0 > test.sh'

const ofProcesses: readonly Way[] = [
  { name: 'goes on in the background', script: `(${later}) &` },
  { name: 'goes on in a session of its own', script: `setsid sh -c '${later}' &` },
  { name: 'ignores signals', script: `setsid sh -c 'trap "" TERM HUP INT; ${later}' &` },
  { name: 'writes without a pause', script: '(while :; do echo exit 0 > test.sh; done) &' },
]

/** What is outside of the slot: in a namespace it does not exist, or cannot be written. */
const outside: readonly Way[] = [
  {
    name: 'writes beside its slot',
    script: 'touch "$HOME/../../stray" ../../stray',
    reaches: 'data',
  },
  {
    name: 'writes into the slot of a neighbour',
    script: 'echo exit 0 > "$slots/1/tree/test.sh"',
    reaches: 'neighbour',
  },
  {
    name: 'writes into the data folder',
    script: 'echo x >> "$data/local.json"; echo x >> "$data/server.log"',
    reaches: 'data',
  },
  {
    name: 'writes into the log of another run',
    script: 'echo x >> "$data/queue/runs/first.log"',
    reaches: 'logs',
  },
  {
    name: 'leaves a stamp in its slot',
    script: 'touch "$slots/0/setup" "$slots/0/stamp"; ln -s "$canary" "$slots/0/extra"',
  },
  {
    name: 'writes into a folder of the user',
    script: 'echo x > "$canary/mine.txt"',
    reaches: 'canary',
  },
  {
    name: 'sets a filter in the mirror',
    script: `git config -f "$mirror/config" filter.x.smudge '${smudge}'; mkdir -p "$mirror/info"; echo "${attributes}" > "$mirror/info/attributes"`,
    reaches: 'mirror',
  },
  {
    name: 'sets a merge driver in the mirror',
    script: `git config -f "$mirror/config" merge.x.driver '{ ${mark}; }; cp %B %A'; mkdir -p "$mirror/info"; echo "* merge=x" > "$mirror/info/attributes"`,
    reaches: 'mirror',
  },
  {
    name: 'sends the mirror elsewhere',
    script: 'git config -f "$mirror/config" url./nowhere/.insteadOf /',
    reaches: 'mirror',
  },
  {
    name: 'makes a work tree of the mirror',
    script:
      'git config -f "$mirror/config" core.bare false; git config -f "$mirror/config" core.worktree "$canary"',
    reaches: 'mirror',
  },
  {
    name: 'breaks the configuration of the mirror',
    script: 'echo "[broken" > "$mirror/config"',
    reaches: 'mirror',
  },
  {
    name: 'sets hooks in the mirror',
    script: `mkdir -p "$mirror/hooks"; echo '{ ${mark}; }; exit 1' > "$mirror/hooks/reference-transaction"; chmod +x "$mirror/hooks/reference-transaction"`,
    reaches: 'mirror',
  },
  {
    name: 'replaces an object in the mirror',
    script:
      'mkdir -p "$mirror/refs/replace"; git rev-parse HEAD > "$mirror/refs/replace/$(git rev-parse HEAD~1)"',
    reaches: 'mirror',
  },
  {
    name: 'moves branches and tags of the mirror',
    script:
      'for each in remotes/origin/main tags/v1 tags/v3; do git --git-dir "$mirror" update-ref refs/mergeyard/$each $(git rev-parse HEAD); done',
    reaches: 'mirror',
  },
  {
    name: 'makes a mirror shallow',
    script: 'git rev-parse HEAD > "$mirror/shallow"',
    reaches: 'mirror',
  },
  {
    name: 'borrows objects for the mirror',
    script: 'mkdir -p "$mirror/objects/info"; echo "$HOME" > "$mirror/objects/info/alternates"',
    reaches: 'mirror',
  },
  {
    name: 'locks the mirror',
    script:
      'touch "$mirror/packed-refs.lock" "$mirror/config.lock" "$mirror/HEAD.lock" "$mirror/shallow.lock"',
    reaches: 'mirror',
  },
  {
    name: 'names another folder for the mirror',
    script: 'ln -s "$canary" "$mirror/commondir"; echo x > "$mirror/gitdir"',
    reaches: 'mirror',
  },
  {
    name: 'takes the head of the mirror',
    script: 'rm "$mirror/HEAD"; ln -s "$canary/mine.txt" "$mirror/HEAD"',
    reaches: 'mirror',
  },
  {
    name: 'removes objects of the mirror',
    script: 'find "$mirror/objects" -type f -exec rm -f {} +',
    reaches: 'mirror',
  },
  {
    name: 'empties objects of the mirror',
    script:
      'find "$mirror/objects" -type f -exec chmod u+w {} +; for each in $(find "$mirror/objects" -type f); do : > $each; done',
    reaches: 'mirror',
  },
]

export const ways: readonly Way[] = [...ofGit, ...ofFiles, ...ofProcesses, ...outside]

/** The work of a pull request that does these, one after the other, and then ends with a code. */
export function attackOf(chosen: readonly Way[], code: number, data: string): string {
  const scripts = chosen.map(({ script }) => `( ${script}\n) < /dev/null > /dev/null 2>&1`)
  const places = {
    data,
    canary: join(data, '../canary'),
    mirror: join(data, 'mirror.git'),
    slots: join(data, 'queue/slots'),
  }
  const text = [...scripts, `exit ${code}`, ''].join('\n')
  return Object.entries(places).reduce(
    (all, [name, path]) => all.replaceAll(`$${name}`, path),
    text,
  )
}
