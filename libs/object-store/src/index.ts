export * from './object-store.port';
export { isObjectKey } from './object-key';
export { LocalStore, type LocalStoreOptions } from './local-store';
export { MinioStore, type MinioStoreOptions } from './minio-store';
export { PublicLinks } from './public-links';
