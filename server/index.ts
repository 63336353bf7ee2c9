/** The server as a library, `mergeyard/server`: a whole server in the process of the caller. */

export {
  startEmbeddedServer as startServer,
  type EmbeddedServer as RunningServer,
  type EmbeddedServerOptions as ServerOptions,
} from './embedded-server.ts'
