/** `cdn` where the object store is an S3 server, `local` where it is a folder. */
export type StorageType = 'cdn' | 'local';
