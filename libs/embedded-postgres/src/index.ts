export { postgresFolder, preparePostgres, stopLeftover, type PreparedPostgres } from './cluster';
