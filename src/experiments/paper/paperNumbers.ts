/** Labelled data that the paper trains on. */
export const paperSources = ["Cityscapes", "BDD"] as const;
export type PaperSource = (typeof paperSources)[number];

/** Data that the paper measures on: SAX London, New Forest and Scotland, and three public data sets. */
export const paperDomains = ["LDN", "NF", "SCOT", "KITTI", "BDD", "WildDash"] as const;
export type PaperDomain = (typeof paperDomains)[number];

/** What the paper measures, by the names of our results. */
export const paperMeasures = ["accuracy", "auroc", "aupr", "maxAmd", "maxF05"] as const;
export type PaperMeasure = (typeof paperMeasures)[number];

/** A number that the paper prints. */
export interface PaperNumber {
  /** Its table or section. */
  readonly place: string;
  readonly source: PaperSource;
  readonly domain: PaperDomain;
  /** As the paper spells it. */
  readonly method: string;
  readonly measure: PaperMeasure;
  readonly value: number;
  /** p(a,c), of MaxA_MD and MaxF0.5. */
  readonly pac: number | null;
}

/** The one group mean of the paper that is not the mean of its rows (Z-17). */
export const misprintedMean = {
  place: "Table 4",
  family: "epistemic",
  domain: "KITTI",
  printed: 0.795,
  recomputed: 0.82,
} as const;

/**
 * The paper's tables as they are printed, and the numbers of its text. Group means follow from the rows. Table 13 repeats γ-SSL and
 * γ-SSL_iL of Tables 2 to 5, which are here once.
 */
const printed: readonly (Pick<PaperNumber, "place" | "source" | "measure"> & { readonly rows: string })[] = [
  {
    place: "Table 2",
    source: "Cityscapes",
    measure: "auroc",
    rows: `
      method      LDN    NF     SCOT   KITTI  BDD
      Ens-PE_5    0.630  0.645  0.629  0.845  0.758
      Ens-MI_5    0.551  0.612  0.532  0.705  0.696
      Ens-PE_10   0.603  0.629  0.608  0.828  0.755
      Ens-MI_10   0.554  0.629  0.527  0.690  0.713
      MCD-PE_0.2  0.727  0.739  0.735  0.864  0.801
      MCD-MI_0.2  0.755  0.774  0.725  0.815  0.801
      MCD-DSL     0.697  0.742  0.676  0.855  0.761
      Softmax     0.723  0.686  0.674  0.785  0.706
      Softmax_A   0.722  0.685  0.672  0.784  0.705
      FeatDist    0.620  0.605  0.607  0.575  0.641
      FeatDist_A  0.645  0.642  0.585  0.585  0.648
      ViM         0.635  0.700  0.640  0.714  0.745
      DUM         0.483  0.565  0.510  0.501  0.502
      γ-SSL       0.895  0.880  0.776  0.888  0.835
      γ-SSL_iL    -      0.880  0.859  -      -`,
  },
  {
    place: "Table 3",
    source: "Cityscapes",
    measure: "aupr",
    rows: `
      method      LDN    NF     SCOT   KITTI  BDD
      Ens-PE_5    0.714  0.733  0.663  0.956  0.854
      Ens-MI_5    0.663  0.737  0.570  0.910  0.830
      Ens-PE_10   0.710  0.724  0.634  0.952  0.857
      Ens-MI_10   0.667  0.752  0.554  0.905  0.840
      MCD-PE_0.2  0.851  0.859  0.737  0.926  0.816
      MCD-MI_0.2  0.878  0.889  0.744  0.956  0.904
      MCD-DSL     0.785  0.818  0.602  0.957  0.851
      Softmax     0.711  0.631  0.525  0.840  0.686
      Softmax_A   0.711  0.631  0.524  0.840  0.686
      FeatDist    0.693  0.650  0.507  0.660  0.718
      FeatDist_A  0.721  0.699  0.456  0.637  0.727
      ViM         0.705  0.708  0.502  0.800  0.797
      DUM         0.630  0.622  0.350  0.367  0.319
      γ-SSL       0.949  0.921  0.726  0.951  0.911
      γ-SSL_iL    -      0.942  0.887  -      -`,
  },
  {
    place: "Table 4",
    source: "Cityscapes",
    measure: "maxAmd",
    rows: `
      method      LDN            NF             SCOT           KITTI          BDD
      Ens-PE_5    0.679 @ 0.560  0.652 @ 0.581  0.634 @ 0.175  0.818 @ 0.751  0.734 @ 0.607
      Ens-MI_5    0.645 @ 0.620  0.643 @ 0.613  0.580 @ 0.076  0.798 @ 0.797  0.692 @ 0.668
      Ens-PE_10   0.678 @ 0.582  0.653 @ 0.564  0.622 @ 0.142  0.812 @ 0.768  0.728 @ 0.602
      Ens-MI_10   0.654 @ 0.622  0.650 @ 0.611  0.578 @ 0.079  0.798 @ 0.798  0.698 @ 0.624
      MCD-PE_0.2  0.750 @ 0.646  0.745 @ 0.645  0.679 @ 0.270  0.849 @ 0.792  0.765 @ 0.608
      MCD-MI_0.2  0.744 @ 0.640  0.748 @ 0.625  0.681 @ 0.234  0.833 @ 0.823  0.754 @ 0.607
      MCD-DSL     0.708 @ 0.559  0.708 @ 0.503  0.685 @ 0.136  0.830 @ 0.745  0.738 @ 0.571
      Softmax     0.689 @ 0.444  0.668 @ 0.396  0.657 @ 0.164  0.718 @ 0.434  0.692 @ 0.479
      Softmax_A   0.689 @ 0.446  0.668 @ 0.401  0.656 @ 0.167  0.717 @ 0.435  0.692 @ 0.480
      FeatDist    0.594 @ 0.371  0.572 @ 0.334  0.624 @ 0.055  0.588 @ 0.574  0.620 @ 0.489
      FeatDist_A  0.617 @ 0.449  0.603 @ 0.378  0.636 @ 0.032  0.564 @ 0.384  0.626 @ 0.502
      ViM         0.626 @ 0.546  0.641 @ 0.353  0.617 @ 0.153  0.655 @ 0.386  0.687 @ 0.480
      DUM         0.625 @ 0.625  0.618 @ 0.556  0.649 @ 0.000  0.733 @ 0.732  0.637 @ 0.635
      γ-SSL       0.830 @ 0.625  0.796 @ 0.483  0.716 @ 0.260  0.856 @ 0.767  0.770 @ 0.568
      γ-SSL_iL    -              0.815 @ 0.608  0.781 @ 0.431  -              -`,
  },
  {
    place: "Table 5",
    source: "Cityscapes",
    measure: "maxF05",
    rows: `
      method      LDN            NF             SCOT           KITTI          BDD
      Ens-PE_5    0.732 @ 0.520  0.708 @ 0.460  0.604 @ 0.206  0.889 @ 0.613  0.801 @ 0.496
      Ens-MI_5    0.694 @ 0.609  0.691 @ 0.605  0.528 @ 0.461  0.832 @ 0.795  0.758 @ 0.472
      Ens-PE_10   0.730 @ 0.539  0.707 @ 0.517  0.574 @ 0.168  0.880 @ 0.608  0.795 @ 0.492
      Ens-MI_10   0.702 @ 0.603  0.696 @ 0.597  0.522 @ 0.460  0.833 @ 0.761  0.767 @ 0.488
      MCD-PE_0.2  0.812 @ 0.584  0.813 @ 0.559  0.678 @ 0.248  0.914 @ 0.686  0.836 @ 0.530
      MCD-MI_0.2  0.816 @ 0.541  0.825 @ 0.523  0.687 @ 0.215  0.891 @ 0.669  0.836 @ 0.500
      MCD-DSL     0.764 @ 0.499  0.770 @ 0.441  0.568 @ 0.155  0.900 @ 0.644  0.802 @ 0.491
      Softmax     0.726 @ 0.395  0.687 @ 0.370  0.555 @ 0.205  0.777 @ 0.366  0.735 @ 0.429
      Softmax_A   0.726 @ 0.397  0.687 @ 0.373  0.554 @ 0.207  0.777 @ 0.366  0.735 @ 0.430
      FeatDist    0.645 @ 0.371  0.601 @ 0.408  0.487 @ 0.240  0.640 @ 0.571  0.672 @ 0.434
      FeatDist_A  0.672 @ 0.360  0.643 @ 0.296  0.449 @ 0.240  0.612 @ 0.525  0.680 @ 0.428
      ViM         0.658 @ 0.543  0.667 @ 0.326  0.520 @ 0.243  0.721 @ 0.324  0.735 @ 0.391
      DUM         0.676 @ 0.625  0.664 @ 0.528  0.419 @ 0.315  0.774 @ 0.731  0.686 @ 0.635
      γ-SSL       0.893 @ 0.548  0.855 @ 0.407  0.678 @ 0.239  0.920 @ 0.676  0.843 @ 0.475
      γ-SSL_iL    -              0.885 @ 0.532  0.826 @ 0.370  -              -`,
  },
  {
    place: "Table 6",
    source: "BDD",
    measure: "auroc",
    rows: `
      method      LDN    NF     SCOT
      Ens-PE_5    0.781  0.854  0.862
      Ens-MI_5    0.744  0.809  0.818
      Ens-PE_10   0.785  0.854  0.866
      Ens-MI_10   0.761  0.827  0.861
      MCD-PE_0.2  0.834  0.841  0.822
      MCD-MI_0.2  0.808  0.816  0.739
      MCD-DSL     0.821  0.803  0.805
      Softmax     0.825  0.819  0.810
      Softmax_A   0.825  0.819  0.810
      FeatDist    0.605  0.599  0.563
      FeatDist_A  0.625  0.631  0.598
      ViM         0.663  0.664  0.560
      DUM         0.480  0.431  0.398
      γ-SSL       0.889  0.876  0.833
      γ-SSL_iL    -      0.882  0.855`,
  },
  {
    place: "Table 7",
    source: "BDD",
    measure: "aupr",
    rows: `
      method      LDN    NF     SCOT
      Ens-PE_5    0.896  0.941  0.885
      Ens-MI_5    0.876  0.915  0.837
      Ens-PE_10   0.899  0.942  0.880
      Ens-MI_10   0.884  0.925  0.870
      MCD-PE_0.2  0.903  0.881  0.798
      MCD-MI_0.2  0.880  0.863  0.728
      MCD-DSL     0.902  0.914  0.849
      Softmax     0.901  0.904  0.816
      Softmax_A   0.901  0.905  0.816
      FeatDist    0.724  0.731  0.547
      FeatDist_A  0.758  0.770  0.604
      ViM         0.799  0.797  0.547
      DUM         0.549  0.530  0.321
      γ-SSL       0.936  0.935  0.858
      γ-SSL_iL    -      0.928  0.900`,
  },
  {
    place: "Table 8",
    source: "BDD",
    measure: "maxAmd",
    rows: `
      method      LDN            NF             SCOT
      Ens-PE_5    0.739 @ 0.630  0.783 @ 0.621  0.790 @ 0.347
      Ens-MI_5    0.716 @ 0.623  0.766 @ 0.637  0.753 @ 0.343
      Ens-PE_10   0.741 @ 0.619  0.783 @ 0.627  0.792 @ 0.331
      Ens-MI_10   0.727 @ 0.619  0.774 @ 0.629  0.797 @ 0.351
      MCD-PE_0.2  0.753 @ 0.488  0.760 @ 0.390  0.766 @ 0.217
      MCD-MI_0.2  0.729 @ 0.454  0.742 @ 0.362  0.729 @ 0.176
      MCD-DSL     0.756 @ 0.549  0.761 @ 0.638  0.727 @ 0.387
      Softmax     0.761 @ 0.553  0.760 @ 0.573  0.755 @ 0.275
      Softmax_A   0.761 @ 0.554  0.761 @ 0.574  0.754 @ 0.275
      FeatDist    0.673 @ 0.609  0.677 @ 0.674  0.603 @ 0.154
      FeatDist_A  0.706 @ 0.646  0.727 @ 0.668  0.590 @ 0.265
      ViM         0.662 @ 0.662  0.683 @ 0.608  0.588 @ 0.114
      DUM         0.562 @ 0.562  0.596 @ 0.596  0.604 @ 0.000
      γ-SSL       0.818 @ 0.599  0.805 @ 0.567  0.762 @ 0.331
      γ-SSL_iL    -              0.809 @ 0.578  0.769 @ 0.417`,
  },
  {
    place: "Table 9",
    source: "BDD",
    measure: "maxF05",
    rows: `
      method      LDN            NF             SCOT
      Ens-PE_5    0.810 @ 0.488  0.872 @ 0.500  0.829 @ 0.307
      Ens-MI_5    0.792 @ 0.484  0.839 @ 0.528  0.777 @ 0.290
      Ens-PE_10   0.814 @ 0.488  0.872 @ 0.500  0.825 @ 0.284
      Ens-MI_10   0.802 @ 0.483  0.855 @ 0.519  0.815 @ 0.309
      MCD-PE_0.2  0.833 @ 0.403  0.814 @ 0.328  0.748 @ 0.199
      MCD-MI_0.2  0.820 @ 0.380  0.803 @ 0.311  0.685 @ 0.163
      MCD-DSL     0.829 @ 0.460  0.839 @ 0.525  0.769 @ 0.319
      Softmax     0.833 @ 0.465  0.835 @ 0.483  0.764 @ 0.241
      Softmax_A   0.833 @ 0.468  0.836 @ 0.484  0.764 @ 0.241
      FeatDist    0.730 @ 0.564  0.731 @ 0.566  0.534 @ 0.191
      FeatDist_A  0.755 @ 0.614  0.778 @ 0.621  0.592 @ 0.285
      ViM         0.732 @ 0.433  0.747 @ 0.541  0.511 @ 0.214
      DUM         0.616 @ 0.562  0.648 @ 0.596  0.451 @ 0.396
      γ-SSL       0.887 @ 0.515  0.873 @ 0.495  0.797 @ 0.284
      γ-SSL_iL    -              0.885 @ 0.501  0.831 @ 0.348`,
  },
  {
    place: "Table 13",
    source: "Cityscapes",
    measure: "auroc",
    rows: `
      method         LDN    NF     SCOT
      NoSSL          0.803  0.774  0.720
      NoSAX          0.793  0.771  0.669
      M_γ=-∞         0.805  0.761  0.711
      Sym-Param      0.851  0.598  0.622
      Sym-Non-Param  0.643  0.643  0.621
      NoRegL         0.815  0.827  0.720
      MCD-SSL        0.776  0.810  0.705`,
  },
  {
    place: "Table 13",
    source: "Cityscapes",
    measure: "aupr",
    rows: `
      method         LDN    NF     SCOT
      NoSSL          0.872  0.829  0.686
      NoSAX          0.824  0.794  0.455
      M_γ=-∞         0.900  0.827  0.646
      Sym-Param      0.800  0.539  0.486
      Sym-Non-Param  0.382  0.235  0.165
      NoRegL         0.882  0.847  0.621
      MCD-SSL        0.794  0.857  0.592`,
  },
  {
    place: "Table 13",
    source: "Cityscapes",
    measure: "maxAmd",
    rows: `
      method         LDN            NF             SCOT
      NoSSL          0.727 @ 0.482  0.706 @ 0.424  0.680 @ 0.204
      NoSAX          0.729 @ 0.465  0.717 @ 0.463  0.653 @ 0.003
      M_γ=-∞         0.754 @ 0.586  0.692 @ 0.426  0.685 @ 0.174
      Sym-Param      0.790 @ 0.253  0.596 @ 0.368  0.756 @ 0.053
      Sym-Non-Param  0.752 @ 0.015  0.864 @ 0.000  0.902 @ 0.000
      NoRegL         0.766 @ 0.552  0.748 @ 0.391  0.665 @ 0.201
      MCD-SSL        0.747 @ 0.594  0.748 @ 0.482  0.707 @ 0.153`,
  },
  {
    place: "Table 13",
    source: "Cityscapes",
    measure: "maxF05",
    rows: `
      method         LDN            NF             SCOT
      NoSSL          0.790 @ 0.380  0.753 @ 0.364  0.626 @ 0.203
      NoSAX          0.769 @ 0.401  0.756 @ 0.403  0.505 @ 0.220
      M_γ=-∞         0.826 @ 0.492  0.746 @ 0.353  0.602 @ 0.184
      Sym-Param      0.731 @ 0.219  0.608 @ 0.381  0.495 @ 0.057
      Sym-Non-Param  0.394 @ 0.088  0.281 @ 0.030  0.210 @ 0.017
      NoRegL         0.806 @ 0.507  0.781 @ 0.332  0.569 @ 0.241
      MCD-SSL        0.809 @ 0.518  0.804 @ 0.416  0.589 @ 0.159`,
  },
  {
    place: "Table 14",
    source: "Cityscapes",
    measure: "maxF05",
    rows: `
      method                      LDN
      batch size 12, history yes  0.893 @ 0.548
      batch size 8, history yes   0.888 @ 0.559
      batch size 6, history yes   0.892 @ 0.546
      batch size 2, history yes   0.882 @ 0.518
      batch size 2, history no    0.827 @ 0.538`,
  },
  {
    place: "Table 14",
    source: "Cityscapes",
    measure: "accuracy",
    rows: `
      method                      LDN
      batch size 12, history yes  0.703
      batch size 8, history yes   0.719
      batch size 6, history yes   0.712
      batch size 2, history yes   0.693
      batch size 2, history no    0.690`,
  },
  {
    place: "section X",
    source: "Cityscapes",
    measure: "maxF05",
    rows: `
      method       LDN
      soft M_γ     0.862 @ 0.421
      per-class Γ  0.772 @ 0.432`,
  },
  {
    place: "section X",
    source: "Cityscapes",
    measure: "accuracy",
    rows: `
      method       LDN
      soft M_γ     0.576
      per-class Γ  0.651`,
  },
  // The paper says "a network trained solely on Cityscapes": the one that Softmax looks through.
  {
    place: "section VIII",
    source: "Cityscapes",
    measure: "accuracy",
    rows: `
      method   LDN    NF     SCOT   KITTI  BDD
      Softmax  0.571  0.538  0.394  -      -
      γ-SSL    0.703  0.595  0.431  0.817  0.684`,
  },
  {
    place: "section VIII",
    source: "BDD",
    measure: "accuracy",
    rows: `
      method  LDN    NF     SCOT
      γ-SSL   0.688  0.666  0.495`,
  },
  // γ-SSL_iL on WildDash is the model that was adapted to London, then to Scotland.
  {
    place: "section VIII",
    source: "Cityscapes",
    measure: "auroc",
    rows: `
      method    WildDash
      Ens-PE_5  0.803
      γ-SSL_iL  0.852`,
  },
  {
    place: "section VIII",
    source: "Cityscapes",
    measure: "aupr",
    rows: `
      method    WildDash
      Ens-PE_5  0.868
      γ-SSL_iL  0.896`,
  },
];

/** Every number of the paper, table by table, each row from left to right. */
export const paperNumbers: readonly PaperNumber[] = printed.flatMap(({ rows, ...table }) => {
  const [head, ...lines] = rows
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/ {2,}/));
  return lines.flatMap(([method, ...cells]) =>
    cells.flatMap((cell, k) => {
      if (cell === "-") return [];
      const [value, pac = null] = cell.split(" @ ").map(Number);
      return [{ ...table, domain: head![k + 1] as PaperDomain, method: method!, value: value!, pac }];
    }),
  );
});

/** The paper's methods and ablations, in its order. */
export const paperMethods: readonly string[] = [...new Set(paperNumbers.map(({ method }) => method))];
