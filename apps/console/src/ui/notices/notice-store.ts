export * from '../notifications';
