export interface PostgresServer {
  kind: 'container' | 'embedded' | 'configured';
  /** Address of the maintenance database, as a user who may create databases. */
  url: string;
  /** Ends the server without a shutdown, as a crash does. */
  halt(): Promise<void>;
  /** Starts it again on the same port with the same data. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}
