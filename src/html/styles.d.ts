/** Styles that the build puts beside the script that imports them. */
declare module "*.css";
