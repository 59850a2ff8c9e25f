export { LocalStore } from './local-store';
export { MinioStore } from './minio-store';
export { isObjectKey, type ListedObject, type ObjectArea, type ObjectRead, type ObjectStore, type StoredObject } from './object-store.port';
export { PublicLinks } from './public-links';
