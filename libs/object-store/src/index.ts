export { readFileStream } from './file-streams';
export { LocalStore } from './local-store';
export { MinioStore } from './minio-store';
export { isObjectKey, saveObject, type ObjectStore, type StoredObject } from './object-store.port';
export { PublicLinks } from './public-links';
