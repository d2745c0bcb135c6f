import type { SiteTraining } from "../../manifest.js";

/** What is to be seen, in a few sentences. */
export const Explanation = () => (
  <p class="lead">
    A small network learned from labelled images of a drawn city <b>by day</b>. Here it meets the city <b>at dusk</b>,
    and has no labels of it. γ-SSL shows it each image of the evening twice, cut and coloured in two ways. Pixels with
    the same answer both times are <b>consistent</b>. γ is set so that as many pixels are <b>certain</b>, and only from
    these the network learns. What is not certain is black.
  </p>
);

/** What it is, and what it is not. */
export function SmallPrint({ training }: { readonly training: SiteTraining }) {
  const { batch, training: length } = training.config.options;
  return (
    <p class="print soft small">
      Labels of the evening are used for measuring only, never for training; none of these four images is trained on.
      The step is that of <code>gssl train</code> with the profile <code>small</code>, but {length.adaptation} steps
      instead of 600, and {batch.source} + {batch.target} images in each instead of 6 + 6: enough to watch, too few for
      a result. The method is that of{" "}
      <a href="https://arxiv.org/abs/2402.17653">
        Williams, De Martini, Gadd and Newman: Mitigating Distributional Shift in Semantic Segmentation via Uncertainty
        Estimation from Unlabelled Data
      </a>
      .
    </p>
  );
}
