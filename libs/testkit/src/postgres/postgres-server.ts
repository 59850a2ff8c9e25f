export interface PostgresServer {
  kind: 'container' | 'embedded' | 'given';
  /** Address of the maintenance database, as a user who may create databases. */
  url: string;
  /** Ends the server at once, as a crash would. */
  halt(): Promise<void>;
  /** Starts it again on the same port with the same data. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}
