export { AppError, type AppErrorDetail } from './app-error.ts';
